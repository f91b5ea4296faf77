"use client";
import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { ScrollRow } from "./scroll-row.tsx";

type Props<V extends string> = {
  label: string;
  value: V;
  onChange: (value: V) => void;
  views: Readonly<Partial<Record<V, string>>>;
  children: ReactNode;
};

/** Views of one thing; arrow keys go from one to the next. */
export const Tabs = <V extends string>({ label, value, onChange, views, children }: Props<V>): ReactNode => (
  <Radix.Root value={value} onValueChange={(next) => onChange(next as V)} activationMode="manual">
    <div className="mb-4 border-b">
      <ScrollRow>
        <Radix.List aria-label={label} className="flex gap-1">
          {(Object.entries(views) as [V, string][]).map(([view, title]) => (
            <Radix.Trigger
              key={view}
              value={view}
              className="-mb-px whitespace-nowrap border-transparent border-b-2 px-3 py-2 text-soft text-sm hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink max-sm:min-h-11"
            >
              {title}
            </Radix.Trigger>
          ))}
        </Radix.List>
      </ScrollRow>
    </div>
    {children}
  </Radix.Root>
);

export const TabPanel = ({ value, children }: { value: string; children: ReactNode }): ReactNode => (
  <Radix.Content value={value} className="outline-none">
    {children}
  </Radix.Content>
);
