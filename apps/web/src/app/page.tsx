import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { ToFirstOrg } from "../features/frame/to-first-org.tsx";
import { currentLogin } from "../server/current-login.ts";

export default async function RootPage(): Promise<ReactNode> {
  if (!(await currentLogin())) redirect("/signin");
  return <ToFirstOrg />;
}
