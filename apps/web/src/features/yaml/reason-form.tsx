"use client";
import { type ReactNode, useId, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";

type Props = { action: string; isBusy: boolean; onSubmit: (reason: string) => void; children?: ReactNode };

/** The bar that saves a text: why, and the button. `children` stand between the two. */
export function ReasonForm({ action, isBusy, onSubmit, children }: Props): ReactNode {
  const id = useId();
  const [reason, setReason] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(reason.trim());
      }}
      className="flex flex-wrap items-center justify-end gap-2 rounded-box border border-line-strong bg-card p-3 shadow-lg max-sm:rounded-none max-sm:border-x-0"
    >
      <label htmlFor={id} className="sr-only">
        {t.reason}
      </label>
      <Input
        id={id}
        value={reason}
        maxLength={500}
        placeholder={t.reasonPlaceholder}
        onChange={(event) => setReason(event.target.value)}
        className="min-w-48 flex-1"
      />
      {children}
      <Button look="primary" type="submit" busy={isBusy}>
        {action}
      </Button>
    </form>
  );
}
