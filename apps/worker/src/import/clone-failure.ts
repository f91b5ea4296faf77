import { AppError, type ErrorCode } from "@gantry/contracts";
import type { EgressDecision, RunResult } from "@gantry/sandbox";

type Kind = { code: ErrorCode; message: string };

const kinds = {
  blocked: {
    code: "CLONE_REFUSED",
    message:
      "The repository's host may not be reached from a sandbox: it is not on the public internet. Clone from a public host, or upload an archive.",
  },
  unreachable: { code: "CLONE_FAILED", message: "The repository's host does not answer. Check the address, or try again later." },
  slow: { code: "CLONE_FAILED", message: "Cloning took too long and was stopped. Try again, or upload an archive of the files." },
  tooLarge: {
    code: "QUOTA_EXCEEDED",
    message: "The repository does not fit into a workspace. Upload an archive of the part that is needed.",
  },
  memory: { code: "CLONE_FAILED", message: "The repository needs more memory than a sandbox has. Upload an archive of the files instead." },
  private: {
    code: "CLONE_FAILED",
    message:
      "There is no such repository, or it is private. Check the address; private repositories cannot be cloned yet, upload an archive of them.",
  },
  redirect: {
    code: "CLONE_REFUSED",
    message: "The host sends this address on to another one, which is not followed. Use the repository's present address.",
  },
  certificate: {
    code: "CLONE_FAILED",
    message:
      "The host's certificate is not trusted, so nothing was loaded. Check the address; an operator can add a certificate authority.",
  },
  notGit: {
    code: "CLONE_FAILED",
    message: "There is no git repository at this address, or it is empty. Use the address that the host offers for cloning.",
  },
  broken: { code: "CLONE_FAILED", message: "The connection broke while cloning. Try again." },
  unknown: { code: "CLONE_FAILED", message: "git could not clone the repository. Check the address and try again, or upload an archive." },
} as const satisfies Record<string, Kind>;

/** What git says, in its own words of the C locale. */
const phrases: [RegExp, keyof typeof kinds][] = [
  [/No space left on device|Disk quota exceeded|File too large|file size limit/i, "tooLarge"],
  [
    /could not read (Username|Password)|Authentication failed|terminal prompts disabled|returned error: 40[134]|repository .* not found/i,
    "private",
  ],
  [/returned error: 30\d|redirect/i, "redirect"],
  [/early EOF|RPC failed|unexpected disconnect|index-pack failed|non-properly terminated|Recv failure|hung up|Empty reply/i, "broken"],
  [/certificate|gnutls_handshake|SSL/i, "certificate"],
  [/not valid: is this a git repository|invalid server response|does not appear to be a git repository/i, "notGit"],
  [/too slow|timed out|Operation too slow/i, "slow"],
];

/**
 * Why a clone failed, in plain words. What the worker itself saw of the connections comes first, then how the process ended, and last the
 * words of git, which a hostile host can shape: they choose among our sentences and are never shown. They are the error's cause, for the log.
 */
export function cloneFailure(result: RunResult, decisions: readonly EgressDecision[]): AppError {
  const { code, message } = kinds[kindOf(result, decisions)];
  return new AppError(code, message, { cause: new Error(tidy(result.stderr.text)) });
}

/** The host answered, and there was nothing to clone: git takes some web pages for an empty repository. */
export function nothingCloned(): AppError {
  return new AppError(kinds.notGit.code, kinds.notGit.message);
}

function kindOf(result: RunResult, decisions: readonly EgressDecision[]): keyof typeof kinds {
  const said = ownWords(result.stderr.text);
  if (decisions.some(({ verdict }) => verdict === "refused")) return "blocked";
  if (decisions.some(({ reason }) => reason === "byte-limit")) return "tooLarge";
  if (decisions.length > 0 && decisions.every(({ verdict }) => verdict === "failed")) return "unreachable";
  if (result.timedOut || decisions.some(({ reason }) => reason === "idle" || reason === "time-limit")) return "slow";
  if (result.outOfMemory) return "memory";
  if (result.signal === "SIGXFSZ") return "tooLarge";
  return phrases.find(([phrase]) => phrase.test(said))?.[1] ?? "unknown";
}

/** Without addresses, which may contain any word, and without what the server had git print. */
function ownWords(stderr: string): string {
  return stderr.replace(/^remote:.*$/gm, "").replace(/'[^'\n]*'/g, "''");
}

/** For the log: no credentials of an address, no control characters, the last part. */
function tidy(text: string): string {
  return text
    .replace(/\/\/[^/@\s]*@/g, "//")
    .replace(/[^\P{C}\n]/gu, " ")
    .trim()
    .slice(-2_000);
}
