import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

const tones = {
  plain: "text-soft",
  accent: "bg-accent-wash text-accent",
  good: "bg-good-wash text-good",
  warn: "bg-warn-wash text-warn",
  bad: "bg-bad-wash text-bad",
} as const;
export type Tone = keyof typeof tones;

/** One word about the state of a thing. */
export const Badge = ({ tone = "plain", title, children }: { tone?: Tone; title?: string; children: ReactNode }): ReactNode => (
  <span
    title={title}
    className={cx("inline-flex shrink-0 items-center whitespace-nowrap rounded-full border px-2 py-px text-xs", tones[tone])}
  >
    {children}
  </span>
);
