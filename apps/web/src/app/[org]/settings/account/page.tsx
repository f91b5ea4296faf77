import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AccountPage } from "../../../../features/account/account-page.tsx";
import { accountTexts } from "../../../../strings/en/account.ts";

export const metadata: Metadata = { title: accountTexts.title };

export default function AccountRoute(): ReactNode {
  return <AccountPage />;
}
