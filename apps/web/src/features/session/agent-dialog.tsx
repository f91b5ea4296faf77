"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { commonTexts } from "../../strings/en/common.ts";
import { presetChoice as t } from "../../strings/en/preset-choice.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

type Props = { org: string; sessionId: string; onClose: () => void };

/** What the session's model was given last, as it was sent: its tools and its system text. */
export default function AgentDialog({ org, sessionId, onClose }: Props): ReactNode {
  const { data, error, refetch } = useQuery(useTRPC().session.agent.queryOptions({ org, sessionId }, { staleTime: 0 }));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t.agent}>
      {error ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonRows rows={4} />
      ) : data === null ? (
        <p className="text-soft">{t.agentNone}</p>
      ) : (
        <div className="flex flex-col gap-5">
          <p className="text-soft text-tool">
            {t.agentSince} <Time at={new Date(data.since)} />. <code className="font-mono">{data.config.model}</code>
          </p>
          <section aria-labelledby="agent-tools">
            <h3 id="agent-tools" className="mb-2 font-medium">
              {fill(t.agentTools, { n: data.tools.length })}
            </h3>
            <ul className="flex flex-wrap gap-1.5">
              {data.tools.map(({ name, description }) => (
                <li key={name} title={description} className="break-all rounded-md border px-1.5 py-0.5 font-mono text-tool">
                  {name}
                </li>
              ))}
            </ul>
          </section>
          <section aria-labelledby="agent-system">
            <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
              <h3 id="agent-system" className="font-medium">
                {t.agentSystem}
              </h3>
              <CopyButton text={data.system} label={commonTexts.copy} done={commonTexts.copied} />
            </div>
            <section
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
              tabIndex={0}
              aria-label={t.agentSystem}
              className="scroll-quiet max-h-[45vh] overflow-auto rounded-box border bg-panel"
            >
              <pre className="whitespace-pre-wrap break-words p-3 font-mono text-tool">{data.system}</pre>
            </section>
          </section>
        </div>
      )}
    </Dialog>
  );
}
