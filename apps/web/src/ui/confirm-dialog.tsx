"use client";
import type { ReactNode } from "react";
import { commonTexts } from "../strings/en/common.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  onClose: () => void;
  title: string;
  text: string;
  action: string;
  /** `danger` unless it can be undone */
  look?: "danger" | "primary";
  isBusy: boolean;
  error: string | null;
  onConfirm: () => void;
  /** between the explanation and the buttons */
  children?: ReactNode;
};

/** Asks before something that matters; says what will be gone or different. */
const ConfirmDialog = ({ onClose, title, text, action, look = "danger", isBusy, error, onConfirm, children }: Props): ReactNode => (
  <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={text}>
    {error && (
      <p role="alert" className="mb-3 text-bad text-tool">
        {error}
      </p>
    )}
    {children}
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>{commonTexts.cancel}</Button>
      <Button look={look} busy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </div>
  </Dialog>
);

export default ConfirmDialog;
