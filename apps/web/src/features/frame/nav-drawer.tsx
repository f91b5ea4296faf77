"use client";
import type { ReactNode } from "react";
import { en } from "../../strings/en.ts";
import { Drawer } from "../../ui/dialog.tsx";

/** The navigation of a phone. */
export default function NavDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }): ReactNode {
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={en.nav.label}>
      {children}
    </Drawer>
  );
}
