"use client";
import Link from "next/link";
import { signIn } from "next-auth/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useIsHydrated } from "../../lib/use-is-hydrated.ts";
import { authTexts } from "../../strings/en/auth.ts";
import { commonTexts } from "../../strings/en/common.ts";
import { fill } from "../../strings/fill.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { signInProblem } from "./sign-in-problem.ts";

const t = authTexts;

/** Where to go after signing in: a path of this site, never another one. */
export const safeNext = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : "/");

type Props = {
  next: string | undefined;
  /** what a failed attempt left in the address */
  word: string | undefined;
  oidc: { enabled: boolean; name: string | null; signUpOpen: boolean };
};

export function SignInForm({ next, word, oidc }: Props): ReactNode {
  const [error, setError] = useState<string | null>(word === undefined ? null : signInProblem(word));
  const [isBusy, setBusy] = useState(false);
  const isHydrated = useIsHydrated(); // before that the browser would send the form by itself, the password in the address
  const goal = safeNext(next);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(null);
    const answer = await signIn("credentials", { redirect: false, email: form.get("email"), password: form.get("password") }).catch(
      () => null,
    );
    if (answer?.ok) return location.assign(goal);
    setBusy(false);
    setError(answer ? signInProblem(answer.error) : `${commonTexts.errors.network} ${commonTexts.errors.networkTodo}`);
  };

  return (
    <>
      <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={t.email}>{(control) => <Input {...control} name="email" type="email" autoComplete="username" required />}</Field>
        <Field label={t.password} error={error}>
          {(control) => <Input {...control} name="password" type="password" autoComplete="current-password" required />}
        </Field>
        <Button look="primary" type="submit" disabled={!isHydrated} busy={isBusy} className="justify-center">
          {t.signIn}
        </Button>
      </form>
      {oidc.enabled && (
        <>
          <p className="my-4 flex items-center gap-3 text-soft text-tool before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {t.or}
          </p>
          <Button className="w-full justify-center" onClick={() => void signIn("oidc", { callbackUrl: goal })}>
            {fill(t.oidc, { name: oidc.name ?? "SSO" })}
          </Button>
        </>
      )}
      {oidc.signUpOpen && (
        <p className="mt-6 text-soft text-sm">
          {t.noAccount}{" "}
          <Link href="/signup" className="text-accent underline underline-offset-2">
            {t.signUp}
          </Link>
        </p>
      )}
    </>
  );
}
