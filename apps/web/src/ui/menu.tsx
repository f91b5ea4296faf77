"use client";
import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

const item = "flex cursor-default select-none items-center gap-2 rounded-md px-2 py-1.5 text-tool outline-none data-[highlighted]:bg-hover";

export function Menu({
  trigger,
  children,
  align = "start",
  defaultOpen = false,
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  defaultOpen?: boolean;
}): ReactNode {
  return (
    <DropdownMenu.Root defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} sideOffset={4} className="z-50 min-w-52 rounded-box border bg-card p-1 shadow-lg">
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

type ItemProps = { children: ReactNode; onSelect?: () => void; checked?: boolean; danger?: boolean; asChild?: boolean };

export const MenuItem = ({ children, onSelect, checked, danger, asChild }: ItemProps): ReactNode => (
  <DropdownMenu.Item {...(onSelect && { onSelect })} asChild={asChild ?? false} className={cx(item, danger && "text-bad")}>
    {asChild ? (
      children
    ) : (
      <>
        {children}
        {checked && <Check aria-hidden className="ml-auto size-4" />}
      </>
    )}
  </DropdownMenu.Item>
);
export const MenuLabel = ({ children }: { children: ReactNode }): ReactNode => (
  <DropdownMenu.Label className="max-w-80 px-2 py-1.5 text-soft text-xs">{children}</DropdownMenu.Label>
);
export const MenuLine = (): ReactNode => <DropdownMenu.Separator className="my-1 h-px bg-line" />;
