import type { ReactNode } from "react";
import { Denied } from "./shell.tsx";

export default function NotFoundPage(): ReactNode {
  return <Denied />;
}
