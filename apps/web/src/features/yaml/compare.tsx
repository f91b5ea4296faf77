"use client";
import { type ReactNode, useState } from "react";
import { presets } from "../../strings/en/presets.ts";
import { Field, Select } from "../../ui/field.tsx";

const t = presets.history;

/** Any two revisions side by side; the last step to begin with. `revisions`: newest first, at least two. */
export function Compare({
  revisions,
  children,
}: {
  revisions: readonly number[];
  children: (from: number, to: number) => ReactNode;
}): ReactNode {
  const [picked, setPicked] = useState<{ from?: number; to?: number }>({});
  const to = picked.to ?? revisions[0] ?? 0;
  const from = picked.from ?? revisions[1] ?? 0;
  const options = revisions.map((revision) => <option key={revision}>{revision}</option>);
  return (
    <section aria-labelledby="compare">
      <h2 id="compare" className="mb-3 font-medium text-base">
        {t.compare}
      </h2>
      <div className="mb-4 grid max-w-md grid-cols-2 gap-4">
        <Field label={t.from}>
          {(control) => (
            <Select {...control} value={from} onChange={(event) => setPicked({ ...picked, from: Number(event.target.value) })}>
              {options}
            </Select>
          )}
        </Field>
        <Field label={t.to}>
          {(control) => (
            <Select {...control} value={to} onChange={(event) => setPicked({ ...picked, to: Number(event.target.value) })}>
              {options}
            </Select>
          )}
        </Field>
      </div>
      {children(from, to)}
    </section>
  );
}
