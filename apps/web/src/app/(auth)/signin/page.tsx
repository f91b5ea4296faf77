import { getOidc } from "@gantry/services";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AuthCard } from "../../../features/auth/auth-card.tsx";
import { SignInForm } from "../../../features/auth/sign-in-form.tsx";
import { serviceDeps } from "../../../server/service-deps.ts";
import { authTexts } from "../../../strings/en/auth.ts";

export const metadata: Metadata = { title: authTexts.signIn };

type Props = { searchParams: Promise<{ next?: string | string[]; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props): Promise<ReactNode> {
  const { next, error } = await searchParams;
  return (
    <AuthCard title={authTexts.signInTitle}>
      <SignInForm
        oidc={getOidc(serviceDeps())}
        next={typeof next === "string" ? next : undefined}
        word={Array.isArray(error) ? error[0] : error}
      />
    </AuthCard>
  );
}
