/** Services that the worker gives every root before any row: what stands outside the root and is bound to its org (M-2). */
export const hostCapabilities: ReadonlySet<string> = new Set(["attachmentStore", "credentials", "settingsStore"]);
