"use client";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { cx } from "../lib/cx.ts";
import { commonTexts } from "../strings/en/common.ts";
import { Button } from "./button.tsx";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  /** as wide as a picture or a long text needs */
  wide?: boolean;
  children: ReactNode;
};

/** A dialog begins at its first field, traps the focus and gives it back to what had it before. */
export function Dialog({ open, onOpenChange, title, description, wide = false, children }: Props): ReactNode {
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          className={cx(
            "-translate-x-1/2 -translate-y-1/2 scroll-quiet fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] overflow-y-auto rounded-box border bg-card p-5 shadow-lg",
            wide ? "max-w-4xl" : "max-w-lg",
          )}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault(); // without a trigger of its own the dialog would leave the focus nowhere
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          {...(!description && { "aria-describedby": undefined })}
        >
          <div className="mb-4 pr-10">
            <Radix.Title className="break-words font-semibold text-base">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-soft text-tool">{description}</Radix.Description>}
          </div>
          {children}
          <Radix.Close asChild>
            <Button look="quiet" size="icon" aria-label={commonTexts.close} className="absolute top-4 right-4">
              <X aria-hidden className="size-4" />
            </Button>
          </Radix.Close>
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
