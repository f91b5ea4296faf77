"use client";
import type { ReactNode } from "react";
import { fill } from "../../strings/en.ts";
import { presets } from "../../strings/en-presets.ts";
import { problemOf } from "../../trpc/problem.ts";
import ConfirmDialog from "../../ui/confirm-dialog.tsx";

const t = presets.history;
type Props = { revision: number; change: { isPending: boolean; error: unknown }; onConfirm: () => void; onClose: () => void };

/** Asks before an earlier revision comes into force again. */
const RollBackDialog = ({ revision, change, onConfirm, onClose }: Props): ReactNode => (
  <ConfirmDialog
    title={fill(t.rollBackTitle, { n: revision })}
    text={fill(t.rollBackText, { n: revision })}
    action={t.rollBackAction}
    look="primary"
    isBusy={change.isPending}
    error={change.error ? problemOf(change.error).why : null}
    onConfirm={onConfirm}
    onClose={onClose}
  />
);

export default RollBackDialog;
