"use client";
import type { ReactNode } from "react";
import { en } from "../strings/en.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  onClose: () => void;
  title: string;
  text: string;
  action: string;
  isBusy: boolean;
  error: string | null;
  onConfirm: () => void;
};

/** Asks before something that cannot be undone; says what will be gone. */
const ConfirmDialog = ({ onClose, title, text, action, isBusy, error, onConfirm }: Props): ReactNode => (
  <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={text}>
    {error && (
      <p role="alert" className="mb-3 text-bad text-tool">
        {error}
      </p>
    )}
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>{en.cancel}</Button>
      <Button look="danger" busy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </div>
  </Dialog>
);

export default ConfirmDialog;
