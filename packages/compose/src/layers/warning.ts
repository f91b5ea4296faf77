export type WarningCode = "PATCH_NAME_MISMATCH" | "PATCH_NOT_FOUND" | "PATCH_INVALID" | "ROW_DUPLICATE" | "ROW_LOCKED";

/** A patch, or a row of one, that was left out; composing goes on. `patch` is its position in the layer, from 0. */
export type Warning = { code: WarningCode; layer: string; patch: number; id?: string; message: string };

export const describeWarning = ({ layer, patch, message }: Warning): string => `${layer}: patch ${patch + 1}: ${message}`;
