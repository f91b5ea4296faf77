import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../lib/cx.ts";

const looks = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent font-medium",
  plain: "bg-card text-ink border-line hover:bg-hover active:bg-pressed",
  quiet: "border-transparent text-soft hover:bg-hover hover:text-ink active:bg-pressed",
  bare: "border-transparent text-ink hover:bg-hover active:bg-pressed",
  danger: "bg-card text-bad border-line hover:bg-bad-wash",
} as const;
const sizes = {
  normal: "h-9 px-3 text-sm",
  small: "h-7 px-2 text-tool",
  icon: "size-8 justify-center",
  touch: "h-11 min-w-11 px-3 text-sm",
} as const;

type Props = ComponentProps<"button"> & {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
  /** Work is under way: the button keeps its size, is not clickable and says so. */
  busy?: boolean;
  asChild?: boolean;
};

export function Button({
  look = "plain",
  size = "normal",
  busy = false,
  asChild = false,
  className,
  disabled,
  children,
  ...rest
}: Props): ReactNode {
  const classes = cx(
    "inline-flex shrink-0 select-none items-center gap-2 whitespace-nowrap rounded-box border transition-colors duration-100",
    "disabled:cursor-not-allowed disabled:opacity-55",
    looks[look],
    sizes[size],
    className,
  );
  if (asChild)
    return (
      <Slot.Root className={classes} {...(rest as object)}>
        {children}
      </Slot.Root>
    );
  return (
    <button type="button" className={classes} disabled={disabled || busy} aria-busy={busy || undefined} {...rest}>
      {busy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}
