import { Layers } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import type { SessionPreset } from "../../trpc/outputs.ts";

/** The preset revision that the session runs on; opens its menu once that is loaded. */
export const PresetButton = ({ preset, className, ...rest }: ComponentProps<"button"> & { preset: SessionPreset }): ReactNode => (
  <button
    type="button"
    className={cx("flex min-h-7 min-w-0 items-center gap-1 rounded-md px-1 hover:text-ink hover:underline max-sm:min-h-11", className)}
    {...rest}
  >
    <Layers aria-hidden className="size-3.5 shrink-0" />
    <span className="truncate max-sm:sr-only">
      <span className="sr-only">{sessionTexts.preset.prefix} </span>
      {preset.name}
    </span>
    <span className="tabular shrink-0">r{preset.revision}</span>
    {!preset.isCurrent && <span className="shrink-0 text-warn max-sm:hidden">· {sessionTexts.preset.older}</span>}
  </button>
);
