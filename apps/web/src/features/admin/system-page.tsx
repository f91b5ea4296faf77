"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { admin } from "../../strings/en/admin.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { Outputs } from "../../trpc/outputs.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Page } from "../../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../../ui/states.tsx";

const t = admin.system;
const refetchMs = 5_000;
type Installation = NonNullable<Outputs["system"]["status"]["installation"]>;

/** What the installation can do, and what is missing, in plain words. */
export function SystemPage({ org }: { org: string }): ReactNode {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.system.status.queryOptions({ org }, { refetchInterval: refetchMs }));
  return (
    <Page title={t.title} lead={t.lead}>
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={5} className="h-10" />
      ) : data.installation ? (
        <Report installation={data.installation} />
      ) : (
        <ErrorState what={t.none} why={t.noneText} todo={t.noneTodo} />
      )}
    </Page>
  );
}

function Report({ installation: { workerCount, sessions, engine } }: { installation: Installation }): ReactNode {
  const problems = engine ? [...engine.problems, ...(engine.quotaEnforced ? [] : [t.quotaOff])] : [t.noEngine];
  const canWork = engine?.ok && engine.imagePresent && engine.quotaEnforced;
  return (
    <>
      {problems.length === 0 ? (
        <p className="mb-6 flex items-center gap-2 rounded-box border bg-good-wash px-4 py-3">
          <CircleCheck aria-hidden className="size-5 shrink-0 text-good" /> {t.good}
        </p>
      ) : (
        <section role="alert" className="mb-6 rounded-box border bg-warn-wash px-4 py-3">
          <h2 className="flex items-center gap-2 font-medium">
            <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" /> {canWork ? t.better : t.bad}
          </h2>
          <ul className="mt-2 ml-7 list-disc">
            {problems.map((problem) => (
              <li key={problem} className="break-words">
                {problem}
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className="divide-y rounded-box border bg-card text-sm">
        <Fact name={t.workers} value={String(workerCount)} />
        <Fact name={t.sessions} value={String(sessions)} />
        <Fact name={t.engine} value={engine?.ok ? `${t.up}${engine.engineVersion ? `, ${engine.engineVersion}` : ""}` : t.down} />
        {engine && (
          <>
            <Fact name={t.isolation} value={t.isolations[engine.isolation]} hint={t.isolationHints[engine.isolation]} />
            <Fact name={t.seccomp} value={engine.seccomp ? t.enforced : t.notEnforced} />
            <Fact
              name={t.quota}
              value={engine.quotaEnforced ? t.enforced : t.notEnforced}
              hint={engine.quotaEnforced ? t.quotaOn : t.quotaOff}
            />
            <Fact name={t.image} value={engine.imagePresent ? t.present : t.missing} />
          </>
        )}
      </dl>
    </>
  );
}

const Fact = ({ name, value, hint }: { name: string; value: string; hint?: string }): ReactNode => (
  <div className="flex flex-wrap gap-x-6 gap-y-0.5 px-4 py-2.5">
    <dt className="w-full text-soft sm:w-48">{name}</dt>
    <dd className="tabular min-w-0 flex-1">
      {value}
      {hint && <p className="text-soft text-tool">{hint}</p>}
    </dd>
  </div>
);
