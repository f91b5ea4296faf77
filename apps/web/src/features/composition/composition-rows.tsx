"use client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { admin } from "../../strings/en/admin.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { DumpedRow, Outputs } from "../../trpc/outputs.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { Note } from "../../ui/note.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { CompositionRow } from "./composition-row.tsx";
import { profile } from "./profile.ts";

const t = admin.composition;
type UpTo = keyof typeof t.upTos;
type View = Outputs["composition"]["get"];

/** The dump: rows with their layers, or the same as text. `upTo` leaves later layers out, so that a broken one is in nobody's way (D-6). */
export function CompositionRows({ org, asText }: { org: string; asText: boolean }): ReactNode {
  const [upTo, setUpTo] = useState<UpTo>("org");
  const [filter, setFilter] = useState("");
  const { data, error, refetch } = useQuery(useTRPC().composition.get.queryOptions({ org, profile, upTo }, { staleTime: 30_000 }));
  return (
    <>
      <div className="mb-4 grid gap-4 sm:grid-cols-2">
        <Field label={t.upTo}>
          {(control) => (
            <Select {...control} value={upTo} onChange={(event) => setUpTo(event.target.value as UpTo)}>
              {(Object.entries(t.upTos) as [UpTo, string][]).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {!asText && (
          <Field label={t.filter}>
            {(control) => <Input {...control} type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />}
          </Field>
        )}
      </div>
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={6} />
      ) : (
        <>
          <Findings view={data} />
          {asText ? <AsText text={data.text} /> : <Rows rows={data.dump.rows} filter={filter} />}
          <Facts view={data} />
        </>
      )}
    </>
  );
}

function Findings({ view: { problems, warnings, notStarted } }: { view: View }): ReactNode {
  const list = (texts: readonly string[]) => (
    <ul className="ml-4 list-disc">
      {texts.map((text) => (
        <li key={text} className="break-words">
          {text}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {notStarted && (
        <Note kind="bad" title={t.notStarted}>
          <p className="break-words">{notStarted.problem}</p>
          <p>{notStarted.serves === null ? t.nothingServes : fill(t.earlierServes, { n: notStarted.serves })}</p>
        </Note>
      )}
      {problems.length > 0 && (
        <Note kind="bad" title={t.problems}>
          {list(problems.map(({ path, message }) => `${path}: ${message}`))}
          <p>{t.problemsText}</p>
        </Note>
      )}
      {warnings.length > 0 && (
        <Note kind="warn" title={t.warnings}>
          {list(warnings)}
        </Note>
      )}
    </>
  );
}

function Rows({ rows, filter }: { rows: readonly DumpedRow[]; filter: string }): ReactNode {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (one: DumpedRow): boolean => {
    const text = [one.row.id, one.row.name, one.origin, ...one.patchedBy].join(" ").toLowerCase();
    return words.every((word) => text.includes(word)) || (one.children ?? []).some(matches);
  };
  const found = rows.filter(matches);
  if (found.length === 0) return <p className="text-soft text-sm">{t.nothing}</p>;
  return (
    <ul className="divide-y overflow-hidden rounded-box border bg-card">
      {found.map((one) => (
        <CompositionRow key={one.row.id} entry={one} />
      ))}
    </ul>
  );
}

const AsText = ({ text }: { text: string }): ReactNode => (
  <div className="relative">
    <div className="absolute top-2 right-4">
      <CopyButton text={text} label={admin.copy} done={admin.copied} />
    </div>
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={t.textLabel}
      className="scroll-quiet max-h-[70vh] overflow-auto rounded-box border bg-panel"
    >
      <pre className="p-4 font-mono text-tool">{text}</pre>
    </section>
  </div>
);

function Facts({ view: { dump } }: { view: View }): ReactNode {
  const facts = Object.entries(dump.facts);
  return (
    <section aria-labelledby="composition-facts" className="mt-8">
      <h2 id="composition-facts" className="mb-3 font-medium text-base">
        {t.facts}
      </h2>
      <dl className="divide-y rounded-box border bg-card text-sm">
        <Fact name={t.hash} value={dump.hash} />
        <Fact name={t.catalogVersion} value={dump.catalogVersion} />
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={String(value)} />
        ))}
      </dl>
      {facts.length === 0 && <p className="mt-2 text-soft text-tool">{t.noFacts}</p>}
    </section>
  );
}

const Fact = ({ name, value }: { name: string; value: string }): ReactNode => (
  <div className="flex flex-wrap gap-x-6 px-4 py-2">
    <dt className="w-full break-all text-soft sm:w-48">{name}</dt>
    <dd className="min-w-0 flex-1 break-all font-mono text-tool">{value}</dd>
  </div>
);
