"use client";
import { Popover } from "radix-ui";
import type { ReactNode } from "react";
import { dollars, tokenCount } from "../../lib/format.ts";
import { agentTexts } from "../../strings/en/agent.ts";
import { fill } from "../../strings/fill.ts";
import type { Readings } from "./use-readings.ts";

const t = agentTexts.usage;
/** Of the model's memory, from which on the ring warns. */
const highShare = 0.8;

/** How full the model's memory is and what the session has cost; the numbers behind both on a click (F62, F66). */
export default function UsageMenu({ readings }: { readings: Readings }): ReactNode {
  const { context, contextBreakdown: parts, cost, usage } = readings;
  const share = context?.promptTokens != null && context.contextWindow ? Math.min(1, context.promptTokens / context.contextWindow) : null;
  const percent = share === null ? null : Math.round(share * 100);
  const spent = usage.length > 0 && (cost.isComplete || cost.listCostUsd > 0) ? dollars(cost.listCostUsd) : null;
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={[t.label, percent !== null && `${percent} %`, spent].filter(Boolean).join(" ")}
        className="tabular flex h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-soft text-tool hover:bg-hover hover:text-ink max-sm:h-11"
      >
        <Ring share={share} />
        {percent !== null && <span>{percent} %</span>}
        {spent && <span className="max-sm:hidden">{spent}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          side="top"
          sideOffset={6}
          collisionPadding={12}
          aria-label={t.label}
          className="z-50 w-[min(340px,calc(100vw-24px))] rounded-box border bg-card p-4 text-tool shadow-lg"
        >
          <h2 className="font-medium">{t.context}</h2>
          <p className="tabular">{contextText(context)}</p>
          {parts && <p className="tabular mt-0.5 text-soft text-xs">{partsText(parts)}</p>}
          {share !== null && share >= highShare / 2 && <p className="mt-0.5 text-soft text-xs">{t.compactHint}</p>}
          <h2 className="mt-3 font-medium">{t.cost}</h2>
          <p className="tabular">{spent ?? (usage.length === 0 ? t.notYet : t.noPrice)}</p>
          {spent && <p className="mt-0.5 text-soft text-xs">{fill(t.costAt, { day: cost.pricesAsOf })}</p>}
          {spent && !cost.isComplete && <p className="mt-0.5 text-soft text-xs">{t.incomplete}</p>}
          {usage.length > 0 && <h2 className="mt-3 font-medium">{t.models}</h2>}
          {usage.map((one) => (
            <div key={`${one.provider}/${one.model}`} className="mt-1">
              <p className="flex justify-between gap-3">
                <code className="min-w-0 truncate font-mono">{one.model}</code>
                <span className="tabular shrink-0 text-soft">{fill(t.requests, { n: one.requests })}</span>
              </p>
              <p className="tabular text-soft text-xs">
                {fill(t.line, {
                  in: tokenCount(one.inputTokens + one.cacheReadTokens + one.cacheWriteTokens),
                  out: tokenCount(one.outputTokens),
                  cached: tokenCount(one.cacheReadTokens),
                })}
              </p>
            </div>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function contextText(context: Readings["context"]): string {
  if (context?.promptTokens == null) return t.notYet;
  const n = context.promptTokens.toLocaleString("en");
  if (!context.contextWindow) return fill(t.contextUnknown, { n });
  const percent = Math.round((context.promptTokens / context.contextWindow) * 100);
  return fill(t.contextOf, { n, max: context.contextWindow.toLocaleString("en"), percent });
}

/** A rule of thumb, not a measure: it says what takes the room. */
function partsText({ system, tools, messages }: NonNullable<Readings["contextBreakdown"]>): string {
  return fill(t.contextParts, { system: tokenCount(system), tools: tokenCount(tools), messages: tokenCount(messages) });
}

const radius = 6.5;
const around = 2 * Math.PI * radius;

const Ring = ({ share }: { share: number | null }): ReactNode => (
  <svg aria-hidden="true" viewBox="0 0 16 16" className="-rotate-90 size-4">
    <circle cx="8" cy="8" r={radius} fill="none" strokeWidth="2.5" className="stroke-line-strong" opacity={0.5} />
    {share !== null && (
      <circle
        cx="8"
        cy="8"
        r={radius}
        fill="none"
        strokeWidth="2.5"
        strokeDasharray={`${share * around} ${around}`}
        className={share >= highShare ? "stroke-warn" : "stroke-accent"}
      />
    )}
  </svg>
);
