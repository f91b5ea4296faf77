import type { EditChange, FsTarget, SandboxMode, WriteIntent, WriteOutcome } from "../../types.ts";
import { coded, Failure } from "../failure.ts";
import { writableKey } from "./paths.ts";
import { readBytes } from "./read.ts";
import { decodeText, prefersCrlf, toCrlf, toLf } from "./text.ts";
import { checkIntent, maxDiffBytes, priorState, publish } from "./write.ts";

const maxEditBytes = 32 * 1024 * 1024;

/**
 * Replaces literal text. Matching is on LF text; the file keeps its dominant newline (EX-146). A stale version is told before a missing match.
 * @throws Failure FS_NOT_FOUND, FS_STALE_VERSION, FS_NOT_TEXT, FS_EDIT_NOT_FOUND, FS_AMBIGUOUS_EDIT …
 */
export function editText(
  target: FsTarget,
  change: EditChange,
  intent: WriteIntent | null,
  mode: SandboxMode,
): WriteOutcome & { replacements: number } {
  return coded(target.displayPath, () => {
    const key = writableKey(target, mode);
    const prior = priorState(key, target);
    checkIntent(prior, intent, target);
    if (!prior) throw new Failure("FS_NOT_FOUND", `${target.displayPath}: does not exist`);
    const { bytes } = readBytes(target, maxEditBytes);
    const original = decodeText(bytes, bytes.length);
    if (original === null) throw new Failure("FS_NOT_TEXT", `${target.displayPath}: is not UTF-8 text`);
    const before = toLf(original);
    const { after, replacements } = replaceLiteral(before, change, target);
    const out = Buffer.from(prefersCrlf(original) ? toCrlf(after) : after);
    const version = publish(key, out, prior, target);
    const isLarge = bytes.length >= maxDiffBytes || out.length >= maxDiffBytes;
    return { operation: "update", before: isLarge ? null : before, after, version, replacements };
  });
}

function replaceLiteral(text: string, change: EditChange, target: FsTarget): { after: string; replacements: number } {
  const old = toLf(change.oldString);
  if (old === "") throw new Failure("FS_EDIT_NOT_FOUND", "the text to replace is empty");
  const pieces = text.split(old); // scans left to right without overlap
  const replacements = pieces.length - 1;
  if (replacements === 0) throw new Failure("FS_EDIT_NOT_FOUND", `${target.displayPath}: the text to replace is not in the file`);
  if (replacements > 1 && !change.replaceAll) {
    const remedy = "give more of the surrounding text to name one place, or replace all of them";
    throw new Failure("FS_AMBIGUOUS_EDIT", `${target.displayPath}: the text to replace is there ${replacements} times; ${remedy}`);
  }
  return { after: pieces.join(toLf(change.newString)), replacements };
}
