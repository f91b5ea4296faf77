"use client";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { signIn } from "next-auth/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useIsHydrated } from "../../lib/use-is-hydrated.ts";
import { authTexts } from "../../strings/en/auth.ts";
import { useTRPC } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";

const t = authTexts;
const minPasswordChars = 10;

/** Creates account and organisation, signs in, and goes there. */
export function SignUpForm(): ReactNode {
  const trpc = useTRPC();
  const [isEntering, setEntering] = useState(false);
  const [stuck, setStuck] = useState(false);
  const isHydrated = useIsHydrated(); // before that the browser would send the form by itself, the password in the address
  const signUp = useMutation(trpc.account.signUp.mutationOptions());
  const problem = signUp.error ? problemOf(signUp.error) : null;
  const errorOf = (field: string) => (problem?.field === field ? (problem.fields[field] ?? problem.why) : null);
  const isElsewhere = problem !== null && !["name", "email", "password", "orgName"].includes(problem.field ?? "");

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string) => String(form.get(name) ?? "");
    const [email, password] = [value("email"), value("password")];
    const made = await signUp.mutateAsync({ name: value("name"), email, password, orgName: value("orgName") }).catch(() => null);
    if (!made) return; // the form shows why
    setEntering(true);
    const answer = await signIn("credentials", { redirect: false, email, password }).catch(() => null);
    if (answer?.ok) return location.assign(`/${made.org}`);
    setEntering(false);
    setStuck(true);
  };

  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field label={t.org} hint={t.orgHint} error={errorOf("orgName")}>
        {(control) => <Input {...control} name="orgName" autoComplete="organization" required maxLength={80} />}
      </Field>
      <Field label={t.name} error={errorOf("name")}>
        {(control) => <Input {...control} name="name" autoComplete="name" required maxLength={100} />}
      </Field>
      <Field label={t.email} error={errorOf("email")}>
        {(control) => <Input {...control} name="email" type="email" autoComplete="username" required />}
      </Field>
      <Field label={t.password} hint={t.passwordHint} error={errorOf("password")}>
        {(control) => (
          <Input {...control} name="password" type="password" autoComplete="new-password" required minLength={minPasswordChars} />
        )}
      </Field>
      {(isElsewhere || stuck) && (
        <p role="alert" className="text-bad text-tool">
          {stuck ? t.created : problem?.why} {problem?.todo}
        </p>
      )}
      <Button look="primary" type="submit" disabled={!isHydrated} busy={signUp.isPending || isEntering} className="justify-center">
        {t.signUp}
      </Button>
      <p className="text-soft text-sm">
        {t.haveAccount}{" "}
        <Link href="/signin" className="text-accent underline underline-offset-2">
          {t.signIn}
        </Link>
      </p>
    </form>
  );
}
