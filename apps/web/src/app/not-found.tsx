import type { ReactNode } from "react";
import { Denied } from "../ui/states.tsx";

export default function NotFoundPage(): ReactNode {
  return <Denied />;
}
