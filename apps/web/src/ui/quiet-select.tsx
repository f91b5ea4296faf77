import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../lib/cx.ts";

type Props = ComponentProps<"select"> & { icon: LucideIcon; tone?: string };

/** A choice among what a message is sent with: as wide as what is chosen, without a box of its own. */
export const QuietSelect = ({ icon: Icon, tone = "text-soft hover:text-ink", className, ...rest }: Props): ReactNode => (
  <span className={cx("relative inline-flex min-w-0 items-center", tone)}>
    <Icon aria-hidden className="pointer-events-none absolute left-1.5 size-4" />
    <select
      className={cx(
        "field-sizing-content h-7 min-w-0 truncate rounded-md bg-transparent pr-0.5 pl-7 text-tool hover:bg-hover disabled:opacity-55 max-sm:h-11 [&>option]:bg-card [&>option]:text-ink",
        className,
      )}
      {...rest}
    />
  </span>
);
