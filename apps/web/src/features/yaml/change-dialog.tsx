"use client";
import { type ReactNode, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { problemOf } from "../../trpc/problem.ts";
import ConfirmDialog from "../../ui/confirm-dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";

/** `force`: whoever confirms has read which presets go */
type Answer = { reason?: string; force?: true };
type Props = {
  title: string;
  text: string;
  action: string;
  look: "danger" | "primary";
  change: { isPending: boolean; error: unknown };
  /** what others saved meanwhile; shown when that is why the change was refused */
  newer?: ReactNode;
  /** how the server answered when it changed nothing and that is no error */
  refusal?: { readonly code: string | null; readonly message: string | null } | undefined;
  onConfirm: (answer: Answer) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks before a change that everybody will see in the history: what it does, and why it is made. After somebody else's change it can be confirmed again. */
export default function ChangeDialog({
  title,
  text,
  action,
  look,
  change,
  newer,
  refusal,
  onConfirm,
  onClose,
  children,
}: Props): ReactNode {
  const [reason, setReason] = useState("");
  const problem = change.error ? problemOf(change.error) : null;
  const isStale = problem?.code === "REVISION_STALE";
  const isBreaking = (problem?.code ?? refusal?.code) === "PRESETS_BREAK";
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={isBreaking ? t.breakAnyway : isStale ? t.confirmAgain : action}
      look={isBreaking ? "danger" : look}
      isBusy={change.isPending}
      error={isStale ? t.stale : (problem?.why ?? refusal?.message ?? null)}
      onConfirm={() => onConfirm({ ...(reason.trim() && { reason: reason.trim() }), ...(isBreaking && { force: true }) })}
      onClose={onClose}
    >
      {isStale && (
        <div className="mb-3 text-tool">
          {newer}
          <p>{t.staleAgain}</p>
        </div>
      )}
      {children}
      <div className="mb-4">
        <Field label={t.reasonOptional} hint={t.reasonHint}>
          {(control) => <Input {...control} value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />}
        </Field>
      </div>
    </ConfirmDialog>
  );
}
