"use client";
import type { ReactNode } from "react";
import { navTexts } from "../../strings/en/nav.ts";
import { Drawer } from "../../ui/dialog.tsx";

/** The navigation of a phone. */
export default function NavDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }): ReactNode {
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={navTexts.label}>
      {children}
    </Drawer>
  );
}
