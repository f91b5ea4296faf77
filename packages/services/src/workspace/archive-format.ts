import { AppError } from "@gantry/contracts";

export type ArchiveFormat = "zip" | "tar.gz";

/** Bytes needed to tell the format. */
export const signatureBytes = 4;

/** Tells an archive by its first bytes, whatever its name says (SC-F3). @throws ARCHIVE_REFUSED for anything else */
export function archiveFormat(head: Uint8Array): ArchiveFormat {
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return "tar.gz";
  if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4) return "zip";
  throw new AppError(
    "ARCHIVE_REFUSED",
    "The file is neither a .zip nor a .tar.gz archive. Pack the files as one of these and upload it again.",
  );
}
