import { authTexts } from "../../strings/en/auth.ts";
import { fill } from "../../strings/fill.ts";

const t = authTexts.problems;

/** Reads the word that a failed sign-in leaves: a code of ours, with the seconds to wait where there are some (`RATE_LIMITED:37`). */
export function signInProblem(word: string | null | undefined): string {
  const [code, seconds] = (word ?? "").split(":");
  if (code === "RATE_LIMITED") return fill(t.limited, { seconds: Number(seconds) || 60 });
  if (code === "WRONG_CREDENTIALS" || code === "CredentialsSignin") return t.wrong;
  if (code === "FORBIDDEN") return t.closed;
  if (code === "EMAIL_TAKEN" || code === "CONFLICT") return t.taken;
  if (code === "OAuthSignin" || code === "OAuthCallback" || code === "Callback") return t.oidc;
  return t.unknown;
}
