"use client";
import type { ComponentProps, ReactNode } from "react";
import { presets } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import ChangeDialog from "./change-dialog.tsx";

const t = presets.history;
type Props = { revision: number } & Pick<ComponentProps<typeof ChangeDialog>, "change" | "newer" | "onConfirm" | "onClose" | "children">;

/** Asks before an earlier revision is used again. */
const RollBackDialog = ({ revision, ...rest }: Props): ReactNode => (
  <ChangeDialog
    title={fill(t.rollBackTitle, { n: revision })}
    text={fill(t.rollBackText, { n: revision })}
    action={t.rollBackAction}
    look="primary"
    {...rest}
  />
);

export default RollBackDialog;
