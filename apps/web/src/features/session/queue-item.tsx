"use client";
import { ArrowDown, ArrowUp, Clock, CornerDownRight, GripVertical, Pencil, X } from "lucide-react";
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { agentTexts } from "../../strings/en/agent.ts";
import { commonTexts } from "../../strings/en/common.ts";
import { sessionTexts } from "../../strings/en/session.ts";
import { Button } from "../../ui/button.tsx";
import { Textarea } from "../../ui/field.tsx";
import type { Queued } from "./model/queued.ts";
import { IconButton } from "./rows/icon-button.tsx";
import type { QueueChange } from "./use-queue.ts";

const t = agentTexts.queue;

type Props = {
  queued: Queued;
  isBusy: boolean;
  /** the last turn did not end by itself: nothing is taken up before somebody says so */
  isParked: boolean;
  onChange: (change: QueueChange) => void;
  onDragStart: () => void;
  onDrop: () => void;
};

/** A message that waits: its words, its place in the list, and whether it waits at all. */
export function QueueItem({ queued, isBusy, isParked, onChange, onDragStart, onDrop }: Props): ReactNode {
  const { message, before, after } = queued;
  const [text, setText] = useState<string | null>(null);
  const editButton = useRef<HTMLSpanElement>(null);
  const wasEditing = useRef(false);
  useEffect(
    function returnFocus() {
      if (text === null && wasEditing.current) editButton.current?.querySelector("button")?.focus();
      wasEditing.current = text !== null;
    },
    [text],
  );
  const isSteering = message.target === "next-step";
  const isOne = before === null && after === null;
  const moveBy = (place: number | null) => place !== null && !isBusy && onChange({ kind: "move", index: place });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || text !== null || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    moveBy(event.key === "ArrowUp" ? before : after);
  };
  const drag = {
    draggable: text === null,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", message.text);
      onDragStart();
    },
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      onDrop();
    },
  };
  const Icon = isSteering ? CornerDownRight : Clock;
  return (
    <li
      data-queued={message.messageId}
      onKeyDown={onKeyDown}
      {...drag}
      className="group rounded-box border bg-card py-0.5 pr-1 pl-2 text-tool"
    >
      {text === null ? (
        <div className="flex flex-wrap items-center gap-x-2">
          <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-soft max-sm:hidden">
            <title>{t.drag}</title>
          </GripVertical>
          <Icon aria-hidden className="size-4 shrink-0 text-soft" />
          <span className="min-w-0 flex-1 basis-40 truncate">{message.text}</span>
          <span className={cx("shrink-0 text-soft text-xs", !isSteering && "max-sm:sr-only")}>
            {isParked ? t.parked : isSteering ? sessionTexts.composer.steering : sessionTexts.composer.queued}
          </span>
          <span className="flex shrink-0 items-center max-sm:ml-auto">
            {(!isSteering || isParked) && (
              <Button
                size="small"
                look="quiet"
                title={isParked ? t.beginHint : t.steerHint}
                className="max-sm:h-11"
                disabled={isBusy}
                onClick={() => onChange({ kind: "steer" })}
              >
                <CornerDownRight aria-hidden className="size-4" /> {isParked ? t.begin : t.steer}
              </Button>
            )}
            {isOne || (
              <>
                <IconButton icon={ArrowUp} label={t.up} title={t.drag} busy={isBusy || before === null} onClick={() => moveBy(before)} />
                <IconButton icon={ArrowDown} label={t.down} title={t.drag} busy={isBusy || after === null} onClick={() => moveBy(after)} />
              </>
            )}
            <span ref={editButton}>
              <IconButton icon={Pencil} label={t.edit} busy={isBusy} onClick={() => setText(message.text)} />
            </span>
            <IconButton icon={X} label={t.remove} busy={isBusy} onClick={() => onChange({ kind: "remove" })} />
          </span>
        </div>
      ) : (
        <Edit
          text={text}
          onText={setText}
          onDone={(save) => {
            if (save && text.trim() !== "" && text !== message.text) onChange({ kind: "edit", text });
            setText(null);
          }}
        />
      )}
    </li>
  );
}

function Edit({ text, onText, onDone }: { text: string; onText: (text: string) => void; onDone: (save: boolean) => void }): ReactNode {
  return (
    <form
      className="flex flex-col gap-2 py-1 pr-1"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(true);
      }}
    >
      <Textarea
        autoFocus
        aria-label={t.text}
        value={text}
        rows={2}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onDone(false);
          } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            onDone(true);
          }
        }}
        className="field-sizing-content max-h-40 min-h-14"
      />
      <span className="flex justify-end gap-2">
        <Button size="small" className="max-sm:h-11" onClick={() => onDone(false)}>
          {commonTexts.cancel}
        </Button>
        <Button size="small" look="primary" type="submit" className="max-sm:h-11" disabled={text.trim() === ""}>
          {commonTexts.save}
        </Button>
      </span>
    </form>
  );
}
