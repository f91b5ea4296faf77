import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AccountPage } from "../../../../features/account/account-page.tsx";
import { en } from "../../../../strings/en.ts";

export const metadata: Metadata = { title: en.account.title };

export default function AccountRoute(): ReactNode {
  return <AccountPage />;
}
