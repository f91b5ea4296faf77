import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

/** The gantry: a beam, two legs, a load. */
export const Logo = ({ className }: { className?: string }): ReactNode => (
  <svg viewBox="0 0 32 32" aria-hidden="true" className={cx("size-6", className)}>
    <rect width="32" height="32" rx="7" className="fill-accent" />
    <g className="stroke-on-accent" strokeWidth="2.6" strokeLinecap="round" fill="none">
      <path d="M7 10h18M10 10v15M22 10v15M16 10v7" />
    </g>
    <circle cx="16" cy="20" r="2.6" className="fill-on-accent" />
  </svg>
);
