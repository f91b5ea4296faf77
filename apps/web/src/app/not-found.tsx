import Link from "next/link";
import type { ReactNode } from "react";
import { en } from "../strings/en.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/states.tsx";

export default function NotFoundPage(): ReactNode {
  return (
    <main id="content" className="mx-auto max-w-xl p-8">
      <ErrorState level={1} what={en.errors.denied} why={en.errors.deniedWhy} todo={en.errors.deniedTodo}>
        <Button asChild size="small">
          <Link href="/">{en.errors.home}</Link>
        </Button>
      </ErrorState>
    </main>
  );
}
