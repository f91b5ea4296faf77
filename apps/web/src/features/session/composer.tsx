"use client";
import { MessageSquarePlus } from "lucide-react";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useRef, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { useKeptText } from "../../lib/use-kept-text.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { Button } from "../../ui/button.tsx";
import { AttachButton } from "./attach-button.tsx";
import { draftKey } from "./draft-key.ts";
import { takesFiles } from "./incoming-files.ts";
import { isCommand } from "./model/commands.ts";
import type { Outgoing } from "./outbox.ts";
import { SendButtons } from "./send-buttons.tsx";
import { useAttachments } from "./use-attachments.ts";
import { useBesideAsk } from "./use-beside-ask.ts";
import { useCommandChoice } from "./use-command-choice.ts";
import { useEscStop } from "./use-esc-stop.ts";

const AttachmentChips = lazy(() => import("./attachment-chips.tsx"));
const CommandList = lazy(() => import("./command-list.tsx"));

const t = sessionTexts.composer;

type Props = {
  org: string;
  sessionId: string;
  /** a question to people stands in its place; who writes, or wants to, may go on below it */
  isAsked: boolean;
  /** what a message is sent with: permissions, usage */
  controls: ReactNode;
  isWorking: boolean;
  /** Enter joins what runs; also while nobody knows yet whether anything does: a session at rest begins with it */
  steers: boolean;
  isStopping: boolean;
  onSend: (text: string, target: Outgoing["target"], attachments: Outgoing["attachments"]) => void;
  /** answers with why the command was refused, or null */
  onCommand: (text: string) => Promise<string | null>;
  onStop: () => void;
};

/**
 * Enter sends, Shift+Enter breaks, Esc twice stops wherever the focus is. While the agent works, a message steers it or waits for the next turn.
 * A text that begins with a slash and a name is a command.
 */
export function Composer(props: Props): ReactNode {
  const { org, sessionId, isAsked, controls, isWorking, steers, isStopping, onSend, onCommand, onStop } = props;
  const [text, setText] = useKeptText(draftKey(sessionId));
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const { items, add, remove, take } = useAttachments(org, sessionId);
  const isUploading = items.some(({ state }) => state === "uploading");
  const isEmpty = (text.trim() === "" && !items.some(({ state }) => state === "ready")) || isUploading;
  const isRun = isCommand(text) && items.length === 0;
  const isEscArmed = useEscStop(isWorking, onStop);
  const [hasFocus, setHasFocus] = useState(false);
  const { isHidden, open } = useBesideAsk(isAsked, { hasText: text !== "" || items.length > 0, hasFocus }, field);
  const write = (next: string) => {
    setText(next);
    setProblem(null);
    field.current?.focus();
  };
  const commands = useCommandChoice(text, write);

  const send = (target: Outgoing["target"]) => {
    if (isEmpty) return;
    write("");
    if (!isRun) return onSend(text, target, take());
    void onCommand(text).then((why) => {
      setProblem(why);
      if (why !== null) setText((now) => (now === "" ? text : now));
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (commands.onKey(event)) return event.preventDefault();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(steers && !event.ctrlKey && !event.metaKey ? "next-step" : "next-turn");
  };
  const { onPaste, onDrop } = takesFiles(add);

  if (isHidden)
    return (
      <Button data-composer look="quiet" size="small" className="mt-1 max-sm:h-11" title={t.writeHint} onClick={open}>
        <MessageSquarePlus aria-hidden className="size-4" /> {t.write}
      </Button>
    );
  return (
    <form
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      onSubmit={(event) => {
        event.preventDefault();
        send(steers ? "next-step" : "next-turn");
      }}
      className={cx("relative rounded-box border border-line-strong bg-card focus-within:border-accent", isAsked && "mt-2")}
    >
      {commands.names.length > 0 && (
        <Suspense>
          <CommandList id={listId} names={commands.names} active={commands.active} onPick={commands.complete} />
        </Suspense>
      )}
      {items.length > 0 && (
        <Suspense>
          <AttachmentChips items={items} onRemove={remove} />
        </Suspense>
      )}
      <textarea
        ref={field}
        data-composer
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        aria-label={t.label}
        aria-autocomplete="list"
        {...(commands.names.length > 0 && { "aria-controls": listId, "aria-activedescendant": `${listId}-${commands.active}` })}
        placeholder={isAsked ? t.placeholderAsked : isWorking ? t.placeholderWorking : t.placeholder}
        rows={isAsked ? 1 : 2}
        className="scroll-quiet field-sizing-content block max-h-[40vh] min-h-9 w-full resize-none bg-transparent px-3 pt-3 text-base outline-none"
      />
      {problem && (
        <p role="alert" className="px-3 pb-1 text-bad text-tool">
          {t.commandFailed} {problem}
        </p>
      )}
      <div className="flex items-center gap-x-2 p-2 max-sm:flex-wrap max-sm:gap-x-1">
        <AttachButton onFiles={add} />
        {controls}
        <span className="min-w-0 flex-1 truncate pl-1 text-soft text-xs max-md:sr-only" aria-live="polite">
          {isEscArmed ? t.escAgain : isWorking && !isEmpty ? t.hintWorking : t.hint}
        </span>
        <span className="ml-auto flex items-center gap-2 max-sm:gap-1">
          <SendButtons
            isWorking={isWorking}
            isStopping={isStopping}
            isEmpty={isEmpty}
            isCommand={isRun}
            canStop={!isAsked}
            onQueue={() => send("next-turn")}
            onStop={onStop}
          />
        </span>
      </div>
    </form>
  );
}
