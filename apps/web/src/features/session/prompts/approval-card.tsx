"use client";
import { ShieldQuestion } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo } from "react";
import { cx } from "../../../lib/cx.ts";
import { agentTexts } from "../../../strings/en/agent.ts";
import { fill } from "../../../strings/fill.ts";
import { problemOf } from "../../../trpc/problem.ts";
import { Button } from "../../../ui/button.tsx";
import { DiffView } from "../cards/diff-view.tsx";
import { directoryOf, type ShownArgument, shownArguments, shownDiffs, shownReason } from "./call-arguments.ts";
import { Key, PromptFrame } from "./prompt-frame.tsx";
import { type Prompt, useAnswer } from "./use-answer.ts";

const t = agentTexts.approval;
/** So long after the focus came by itself from another card, a key was meant for that one. */
const unseenMs = 500;
/** What a diff shows of its call's arguments. */
const inDiff: ReadonlySet<string> = new Set(["old_string", "new_string", "content"]);
const facts = "grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-tool max-sm:grid-cols-[minmax(0,auto)_minmax(0,1fr)]";

type Props = {
  org: string;
  sessionId: string;
  prompt: Extract<Prompt, { kind: "approval" }>;
  /** how many wait behind this one */
  more: number;
  /** when the focus came here by itself from the card before, ms */
  focusKeptAt: RefObject<number>;
  onStop: () => void;
  isStopping: boolean;
};

/** The exact call, why it is asked about, and the two answers (APR-5, F15). */
export function ApprovalCard({ org, sessionId, prompt, more, focusKeptAt, ...stop }: Props): ReactNode {
  const { answer, say } = useAnswer(org, sessionId, prompt);
  const shown = useMemo(() => shownArguments(prompt.arguments), [prompt.arguments]);
  const diffs = useMemo(() => shownDiffs(prompt.toolName, prompt.arguments), [prompt.toolName, prompt.arguments]);
  const reason = shownReason(prompt.reason ?? "");
  const others = shown.others.filter(({ name, text }) => !(diffs && inDiff.has(name)) && reason.told[name] !== text.trim());
  const isDone = answer.isPending || answer.isSuccess;
  const decide = (outcome: "allow-once" | "deny") => !isDone && say({ outcome });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || Date.now() - focusKeptAt.current < unseenMs) return;
    const key = event.key.toLowerCase();
    if (key === "a") decide("allow-once");
    else if (key === "d") decide("deny");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <PromptFrame
      icon={<ShieldQuestion aria-hidden className="size-5 shrink-0 text-warn" />}
      title={t.title}
      expiresAt={prompt.expiresAt}
      error={answer.error && problemOf(answer.error).why}
      onKeyDown={onKeyDown}
      {...stop}
      buttons={
        <>
          <Button look="danger" className="h-11" disabled={isDone} onClick={() => decide("deny")}>
            {t.deny} <Key>D</Key>
          </Button>
          <Button look="primary" className="h-11" disabled={isDone} busy={answer.isPending} onClick={() => decide("allow-once")}>
            {t.allow} <Key>A</Key>
          </Button>
        </>
      }
    >
      {/* before the call, which may be long: these decide */}
      <dl className={facts}>
        <Fact name={t.tool} value={prompt.toolName ?? ""} mono />
        <Fact name={t.directory} value={directoryOf(shown)} mono />
        {reason.text && <Fact name={t.reason} value={reason.text} />}
      </dl>
      <div className="mt-3 flex flex-col gap-2">
        {diffs ? (
          diffs.map((diff) => <DiffView key={diff.path} diff={diff} whole />)
        ) : (
          <Exact text={shown.main?.text ?? shown.raw} label={shown.main?.name ?? t.asWritten} />
        )}
      </div>
      {others.length > 0 && (
        <dl className={cx("mt-3", facts)}>
          {others.map((one) => (
            <Argument key={one.name} {...one} />
          ))}
        </dl>
      )}
      {shown.main && (
        <details className="mt-3 text-tool">
          <summary className="mb-1 w-fit cursor-pointer text-soft hover:text-ink max-sm:py-2">{t.asWritten}</summary>
          <Exact text={shown.raw} label={t.asWritten} />
        </details>
      )}
      <p className="mt-3 text-soft text-xs">
        {t.who} <span className="max-sm:hidden">{t.keys}</span>
      </p>
      {more > 0 && <p className="mt-1 text-soft text-xs">{fill(t.more, { n: more })}</p>}
    </PromptFrame>
  );
}

/** A text that has to be seen whole: it wraps, nothing is cut off. */
const Exact = ({ text, label }: { text: string; label: string }): ReactNode => (
  <pre title={label} className="whitespace-pre-wrap [overflow-wrap:anywhere] rounded-box border bg-panel p-3 font-mono text-ink text-tool">
    {text}
  </pre>
);

const Fact = ({ name, value, mono = false }: { name: string; value: string; mono?: boolean }): ReactNode => (
  <>
    <dt className="text-soft">{name}</dt>
    <dd className={mono ? "whitespace-pre-wrap [overflow-wrap:anywhere] font-mono" : "break-words"}>{value}</dd>
  </>
);

const Argument = ({ name, text }: ShownArgument): ReactNode => (
  <>
    <dt className="font-mono text-soft">{name}</dt>
    <dd className="whitespace-pre-wrap [overflow-wrap:anywhere] font-mono">{text}</dd>
  </>
);
