import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AuthCard } from "../../../features/auth/auth-card.tsx";
import { SignUpForm } from "../../../features/auth/sign-up-form.tsx";
import { en } from "../../../strings/en.ts";

export const metadata: Metadata = { title: en.auth.signUp };

export default function SignUpPage(): ReactNode {
  return (
    <AuthCard title={en.auth.signUpTitle}>
      <SignUpForm />
    </AuthCard>
  );
}
