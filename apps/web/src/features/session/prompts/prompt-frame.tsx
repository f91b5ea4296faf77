"use client";
import { Square } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import { timeLeft } from "../../../lib/format.ts";
import { agentTexts } from "../../../strings/en/agent.ts";
import { sessionTexts } from "../../../strings/en/session.ts";
import { fill } from "../../../strings/fill.ts";
import { Button } from "../../../ui/button.tsx";
import { useTick } from "../../../ui/time.tsx";

type Props = {
  icon: ReactNode;
  title: string;
  expiresAt: Date | null;
  children: ReactNode;
  /** never scroll away */
  buttons: ReactNode;
  error: string | null;
  onKeyDown?: (event: KeyboardEvent) => void;
  onStop: () => void;
  isStopping: boolean;
};

/** A question to people: what it is about scrolls, what answers it stays in view. */
export function PromptFrame({ icon, title, expiresAt, children, buttons, error, onKeyDown, onStop, isStopping }: Props): ReactNode {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys work while the focus is in it
      tabIndex={0}
      data-prompt
      {...(onKeyDown && { onKeyDown })}
      className="flex max-h-[60dvh] flex-col rounded-box border border-warn bg-card"
    >
      <div className="flex items-center gap-2 rounded-t-[7px] border-b bg-warn-wash px-4 py-2">
        {icon}
        <h2 id={id} className="min-w-0 flex-1 truncate font-medium text-sm">
          {title}
        </h2>
        {expiresAt && <TimeLeft until={expiresAt} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <div tabIndex={0} className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-4 py-3">
        {children}
      </div>
      {error && (
        <p role="alert" className="px-4 pb-2 text-bad text-tool">
          {agentTexts.approval.failed} {error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t p-2">
        <Button
          look="quiet"
          className="max-sm:h-11 max-sm:min-w-11"
          onClick={onStop}
          disabled={isStopping}
          title={agentTexts.approval.stop}
        >
          <Square aria-hidden className="size-3.5 fill-current" />{" "}
          {isStopping ? sessionTexts.composer.stopping : sessionTexts.composer.stop}
        </Button>
        <span className="ml-auto flex gap-2">{buttons}</span>
      </div>
    </section>
  );
}

function TimeLeft({ until }: { until: Date }): ReactNode {
  const ms = until.getTime() - useTick(1_000);
  const { left, over } = agentTexts.approval;
  return <span className="tabular shrink-0 text-xs">{ms > 0 ? fill(left, { time: timeLeft(ms) }) : over}</span>;
}

/** The key that answers, on its button. */
export const Key = ({ children }: { children: string }): ReactNode => (
  <kbd aria-hidden className="rounded border border-current px-1.5 font-mono text-xs opacity-80 max-sm:hidden">
    {children}
  </kbd>
);
