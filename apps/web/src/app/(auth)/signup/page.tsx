import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AuthCard } from "../../../features/auth/auth-card.tsx";
import { SignUpForm } from "../../../features/auth/sign-up-form.tsx";
import { authTexts } from "../../../strings/en/auth.ts";

export const metadata: Metadata = { title: authTexts.signUp };

export default function SignUpPage(): ReactNode {
  return (
    <AuthCard title={authTexts.signUpTitle}>
      <SignUpForm />
    </AuthCard>
  );
}
