import { type ReactNode, useId } from "react";
import { cx } from "../lib/cx.ts";

type Props = { text: string; children: (describedBy: { "aria-describedby": string }) => ReactNode; side?: "top" | "bottom" };

/** A short explanation on hover and focus; never the only place where something is said. Plain CSS: it costs no script. */
export function Tooltip({ text, children, side = "top" }: Props): ReactNode {
  const id = useId();
  return (
    <span className="group relative inline-flex">
      {children({ "aria-describedby": id })}
      <span
        role="tooltip"
        id={id}
        className={cx(
          "pointer-events-none invisible absolute right-0 z-30 w-max max-w-64 whitespace-normal rounded-md border bg-card px-2 py-1 text-ink text-xs opacity-0 shadow-md",
          "transition-opacity delay-300 duration-100 group-focus-within:visible group-focus-within:opacity-100 group-hover:visible group-hover:opacity-100",
          side === "top" ? "bottom-full mb-1.5" : "top-full mt-1.5",
        )}
      >
        {text}
      </span>
    </span>
  );
}
