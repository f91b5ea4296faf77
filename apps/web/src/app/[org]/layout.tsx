import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { Frame } from "../../features/frame/frame.tsx";
import { currentLogin } from "../../server/current-login.ts";
import { pathHeader } from "../../server/current-path.ts";

type Props = { children: ReactNode; params: Promise<{ org: string }> };

/** Strangers go to the sign-in form and from there to where they wanted; what a member may see, the procedures decide (SC-W8). */
export default async function OrgLayout({ children, params }: Props): Promise<ReactNode> {
  const { org } = await params;
  if (!(await currentLogin())) redirect(`/signin?next=${encodeURIComponent((await headers()).get(pathHeader) ?? `/${org}`)}`);
  return <Frame org={org}>{children}</Frame>;
}
