"use client";
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

export const TooltipProvider = ({ children }: { children: ReactNode }): ReactNode => (
  <Radix.Provider delayDuration={400}>{children}</Radix.Provider>
);

/** A short explanation on hover and focus; never the only place where something is said. */
export function Tooltip({
  text,
  children,
  side = "top",
}: {
  text: string;
  children: ReactNode;
  side?: "top" | "right" | "bottom";
}): ReactNode {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content side={side} sideOffset={6} className="z-50 max-w-72 rounded-md border bg-card px-2 py-1 text-xs shadow-md">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
