import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";

type Props = {
  icon: LucideIcon;
  label: string;
  title?: string;
  pressed?: boolean;
  busy?: boolean;
  onClick: () => void;
};

/** A quiet button of one icon, big enough for a thumb on a phone. */
export const IconButton = ({ icon: Icon, label, title, pressed, busy = false, onClick }: Props): ReactNode => (
  <button
    type="button"
    aria-label={label}
    title={title ?? label}
    aria-pressed={pressed}
    disabled={busy}
    onClick={onClick}
    className={cx(
      "inline-flex size-7 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink disabled:opacity-55 max-sm:size-11",
      pressed && "text-accent",
    )}
  >
    <Icon aria-hidden className="size-4" />
  </button>
);
