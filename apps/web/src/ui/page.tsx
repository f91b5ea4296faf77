import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

type Props = { title: string; lead?: ReactNode; above?: ReactNode; action?: ReactNode; wide?: boolean; children: ReactNode };

/** A page of the frame that is not a session: title, what it is for, its first action. `above` the title: where the page belongs. */
export const Page = ({ title, lead, above, action, wide = false, children }: Props): ReactNode => (
  <main
    id="content"
    className={cx(
      "mx-auto w-full px-4 pt-14 pb-16 in-data-subnav:pt-6 md:px-8 md:pt-10 md:in-data-subnav:pt-8",
      wide ? "max-w-5xl" : "max-w-3xl",
    )}
  >
    {above}
    <div className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="break-words font-semibold text-xl">{title}</h1>
        {lead && <p className="mt-1 max-w-xl text-soft">{lead}</p>}
      </div>
      {action}
    </div>
    {children}
  </main>
);
