"use client";
import { listCost, pricesAsOf } from "@gantry/contracts/prices";
import { Check, Copy, GitFork } from "lucide-react";
import type { ReactNode } from "react";
import { dollars, duration, tokenCount } from "../../../lib/format.ts";
import { useCopied } from "../../../lib/use-copied.ts";
import { agentTexts } from "../../../strings/en/agent.ts";
import { fill } from "../../../strings/fill.ts";
import { problemOf } from "../../../trpc/problem.ts";
import { Rating } from "../feedback.tsx";
import type { FooterRow } from "../model/rows.ts";
import { useSessionPlace } from "../session-context.ts";
import { useFork } from "../use-fork.ts";
import { IconButton } from "./icon-button.tsx";

const t = agentTexts.footer;

/** What a settled turn took, and what can be done with its answer. */
export function FooterRowView({ row }: { row: FooterRow }): ReactNode {
  const { org, sessionId } = useSessionPlace();
  const { fork, start } = useFork(org, sessionId);
  const { answer, forkSeq } = row;
  const actions = (
    <>
      {answer && <CopyAnswer text={answer.text} />}
      {forkSeq !== null && (
        <IconButton icon={GitFork} label={t.fork} title={t.forkHint} busy={fork.isPending} onClick={() => start(forkSeq)} />
      )}
    </>
  );
  return (
    <div className="text-soft text-xs">
      {answer ? (
        <Rating messageId={answer.messageId} before={<Numbers row={row} />} actions={actions} />
      ) : (
        <div className="-mr-1.5 flex min-h-7 items-center justify-between">
          <Numbers row={row} /> <span className="flex">{actions}</span>
        </div>
      )}
      {fork.error && (
        <p role="alert" className="text-bad text-tool">
          {t.forkFailed} {problemOf(fork.error).why}
        </p>
      )}
    </div>
  );
}

/** Time, tokens and cost: one line of numbers. */
function Numbers({ row: { workedMs, spent } }: { row: FooterRow }): ReactNode {
  const sum = (count: (one: FooterRow["spent"][number]) => number) => spent.reduce((total, one) => total + count(one), 0);
  const read = sum((one) => one.inputTokens + one.cacheReadTokens + one.cacheWriteTokens);
  const cached = sum((one) => one.cacheReadTokens);
  const costs = spent.map(listCost);
  const cost = costs.every((one) => one !== null) ? costs.reduce((total, one) => total + one, 0) : null;
  const parts = [
    workedMs !== null && workedMs >= 1_000 && duration(workedMs),
    spent.length > 0 && fill(t.tokens, { in: tokenCount(read), out: tokenCount(sum((one) => one.outputTokens)) }),
    cached > 0 && fill(t.cached, { n: tokenCount(cached) }),
  ].filter(Boolean);
  return (
    <span className="tabular">
      {parts.join(" · ")}
      {spent.length > 0 && cost !== null && (
        <span title={fill(t.costWhy, { day: pricesAsOf })}> · {fill(t.cost, { n: dollars(cost) })}</span>
      )}
    </span>
  );
}

function CopyAnswer({ text }: { text: string }): ReactNode {
  const [isDone, copy] = useCopied(text);
  return <IconButton icon={isDone ? Check : Copy} label={isDone ? t.copied : t.copy} onClick={copy} />;
}
