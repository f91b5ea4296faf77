/** Why a compaction came to nothing, or could not be told to have come to something (CMP-4). */
export type CompactionCode = "busy" | "cancelled" | "changed" | "summary" | "commit" | "persistence";

export class CompactionError extends Error {
  readonly code: CompactionCode;
  constructor(code: CompactionCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "CompactionError";
    this.code = code;
  }
}
