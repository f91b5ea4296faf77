import type { ReactNode } from "react";

type Props = { title: string; lead?: ReactNode; action?: ReactNode; children: ReactNode };

/** A page of the frame that is not a session: title, what it is for, its first action. */
export const Page = ({ title, lead, action, children }: Props): ReactNode => (
  <main id="content" className="mx-auto w-full max-w-3xl px-4 pt-14 pb-16 md:px-8 md:pt-10">
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
