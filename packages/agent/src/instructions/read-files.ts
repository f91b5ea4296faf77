import type { SandboxFs } from "@gantry/sandbox";
import { digestOf } from "./frame.ts";

/** In a folder, later names are more specific. */
const names = ["AGENTS.md", "CLAUDE.md", "AGENTS.local.md", "CLAUDE.local.md"] as const;
/** Of one file, in bytes; a larger one is skipped with a notice. */
const maxFileBytes = 1_048_576;

export type FoundFile = { readonly path: string; readonly text: string; readonly digest: string };
export type UnreadableFile = { readonly path: string; readonly problem: string };
export type Found = { readonly files: readonly FoundFile[]; readonly unreadable: readonly UnreadableFile[] };

export const isInstructionFile = (path: string): boolean => (names as readonly string[]).includes(path.slice(path.lastIndexOf("/") + 1));

/** The instruction files of folders (INS-1), outermost folder first; a file whose content another of its folder has already is left out (AG-082). */
export async function readFolders(fs: SandboxFs, folders: readonly string[], signal: AbortSignal): Promise<Found> {
  const perFolder = await Promise.all(folders.map((folder) => readFolder(fs, folder, signal)));
  return { files: perFolder.flatMap(({ files }) => files), unreadable: perFolder.flatMap(({ unreadable }) => unreadable) };
}

async function readFolder(fs: SandboxFs, folder: string, signal: AbortSignal): Promise<Found> {
  const read = await Promise.all(names.map((file) => readFile(fs, `${folder}/${file}`, signal)));
  const seen = new Set<string>();
  const files = read.flatMap(({ file }) => {
    if (!file || seen.has(file.text.trim())) return [];
    seen.add(file.text.trim());
    return [file];
  });
  return { files, unreadable: read.flatMap(({ unreadable }) => unreadable ?? []) };
}

async function readFile(fs: SandboxFs, path: string, signal: AbortSignal): Promise<{ file?: FoundFile; unreadable?: UnreadableFile }> {
  try {
    const target = await fs.resolve(path, undefined, { signal });
    if ((await fs.stat(target, { signal })) === null) return {};
    const { text } = await fs.readText(target, { signal, maxBytes: maxFileBytes });
    return text.trim() === "" ? {} : { file: { path, text, digest: digestOf(text) } };
  } catch (error) {
    signal.throwIfAborted();
    if (!isFileProblem(error)) throw error; // a world that is not there is no word about the file
    return { unreadable: { path, problem: error.message } };
  }
}

const isFileProblem = (error: unknown): error is Error => error instanceof Error && "code" in error && String(error.code).startsWith("FS_");
