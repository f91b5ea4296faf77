"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { signIn } from "next-auth/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { en, fill } from "../../strings/en.ts";
import { useTRPC } from "../../trpc/client.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";

const t = en.auth;

/** Where to go after signing in: a path of this site, never another one. */
export const safeNext = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : "/");

export function SignInForm({ next, failed }: { next: string | undefined; failed: boolean }): ReactNode {
  const trpc = useTRPC();
  const { data: oidc } = useQuery(trpc.account.oidc.queryOptions());
  const [error, setError] = useState<string | null>(failed ? t.wrong : null);
  const [isBusy, setBusy] = useState(false);
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
    setError(answer ? t.wrong : `${en.errors.network} ${en.errors.networkTodo}`);
  };

  return (
    <>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={t.email}>{(control) => <Input {...control} name="email" type="email" autoComplete="username" required />}</Field>
        <Field label={t.password} error={error}>
          {(control) => <Input {...control} name="password" type="password" autoComplete="current-password" required />}
        </Field>
        <Button look="primary" type="submit" busy={isBusy} className="justify-center">
          {t.signIn}
        </Button>
      </form>
      {oidc?.enabled && (
        <>
          <p className="my-4 flex items-center gap-3 text-soft text-tool before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {t.or}
          </p>
          <Button className="w-full justify-center" onClick={() => void signIn("oidc", { callbackUrl: goal })}>
            {fill(t.oidc, { name: oidc.name ?? "SSO" })}
          </Button>
        </>
      )}
      {oidc?.signUpOpen !== false && (
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
