import type { ReactNode } from "react";
import { AdminArea } from "../../../features/admin/admin-area.tsx";

type Props = { children: ReactNode; params: Promise<{ org: string }> };

export default async function AdminLayout({ children, params }: Props): Promise<ReactNode> {
  return <AdminArea org={(await params).org}>{children}</AdminArea>;
}
