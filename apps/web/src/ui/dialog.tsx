"use client";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { en } from "../strings/en.ts";
import { Button } from "./button.tsx";

type Props = { open: boolean; onOpenChange: (open: boolean) => void; title: string; description?: string; children: ReactNode };

/** A dialog traps the focus and gives it back to what opened it. */
export function Dialog({ open, onOpenChange, title, description, children }: Props): ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          className="-translate-x-1/2 -translate-y-1/2 scroll-quiet fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-lg overflow-y-auto rounded-box border bg-card p-5 shadow-lg"
          {...(!description && { "aria-describedby": undefined })}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div>
              <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1 text-soft text-tool">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <Button look="quiet" size="icon" aria-label={en.close} className="-m-1">
                <X aria-hidden className="size-4" />
              </Button>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type SheetProps = { open: boolean; onOpenChange: (open: boolean) => void; title: string; children: ReactNode };

/** The left frame on a phone: a drawer over the page. */
export function Drawer({ open, onOpenChange, title, children }: SheetProps): ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-[min(300px,85vw)] flex-col border-r bg-panel"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
