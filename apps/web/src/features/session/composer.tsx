"use client";
import { CornerDownRight, ListPlus, Paperclip, SendHorizontal, Square } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { en } from "../../strings/en.ts";
import { enAttachments } from "../../strings/en-attachments.ts";
import { Button } from "../../ui/button.tsx";
import { AttachmentChips } from "./attachment-chips.tsx";
import type { Outgoing } from "./outbox.ts";
import { useAttachments } from "./use-attachments.ts";

const t = en.session.composer;
const escWindowMs = 1_500;

type Props = {
  org: string;
  sessionId: string;
  isWorking: boolean;
  isStopping: boolean;
  onSend: (text: string, target: Outgoing["target"], attachments: Outgoing["attachments"]) => void;
  onStop: () => void;
};

/** Enter sends, Shift+Enter breaks, Esc twice stops wherever the focus is. While the agent works, a message steers it or waits for the next turn. */
export function Composer({ org, sessionId, isWorking, isStopping, onSend, onStop }: Props): ReactNode {
  const [text, setText] = useState("");
  const [isEscArmed, setIsEscArmed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const { items, add, remove, take } = useAttachments(org, sessionId);
  const isUploading = items.some(({ state }) => state === "uploading");
  const isEmpty = (text.trim() === "" && !items.some(({ state }) => state === "ready")) || isUploading;

  const send = (target: Outgoing["target"]) => {
    if (isEmpty) return;
    onSend(text, target, take());
    setText("");
    field.current?.focus();
  };
  useEffect(
    function listenForEscape() {
      if (!isWorking) return;
      const onKey = (event: globalThis.KeyboardEvent) => {
        if (event.key !== "Escape" || event.repeat || (event.target as HTMLElement).closest("[role=dialog], [role=menu]")) return;
        if (isEscArmed) onStop();
        setIsEscArmed(!isEscArmed);
      };
      addEventListener("keydown", onKey);
      return () => removeEventListener("keydown", onKey);
    },
    [isWorking, isEscArmed, onStop],
  );
  useEffect(
    function disarmEscape() {
      if (!isEscArmed) return;
      const timer = setTimeout(setIsEscArmed, escWindowMs, false);
      return () => clearTimeout(timer);
    },
    [isEscArmed],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(isWorking && !event.ctrlKey && !event.metaKey ? "next-step" : "next-turn");
  };

  const onPaste = (event: ClipboardEvent) => {
    // what was copied from a document has its text and a picture of it: the text is meant
    if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    add(event.clipboardData.files);
  };
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    add(event.dataTransfer.files);
  };

  return (
    <form
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      onSubmit={(event) => {
        event.preventDefault();
        send(isWorking ? "next-step" : "next-turn");
      }}
      className="rounded-box border border-line-strong bg-card focus-within:border-accent"
    >
      {items.length > 0 && <AttachmentChips items={items} onRemove={remove} />}
      <textarea
        ref={field}
        data-composer
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        aria-label={t.label}
        placeholder={isWorking ? t.placeholderWorking : t.placeholder}
        rows={2}
        className="scroll-quiet field-sizing-content block max-h-[40vh] min-h-14 w-full resize-none bg-transparent px-3 pt-3 text-base outline-none"
      />
      <div className="flex items-center gap-2 p-2">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            add(event.target.files ?? []);
            event.target.value = "";
          }}
        />
        <Button
          size="small"
          look="quiet"
          className="max-sm:h-11 max-sm:min-w-11"
          aria-label={enAttachments.attach}
          title={enAttachments.attach}
          onClick={() => picker.current?.click()}
        >
          <Paperclip aria-hidden className="size-4" />
        </Button>
        <span className="min-w-0 flex-1 truncate pl-1 text-soft text-xs max-sm:invisible" aria-live="polite">
          {isEscArmed ? t.escAgain : t.hint}
        </span>
        {isWorking ? (
          <>
            {!isEmpty && (
              <>
                <Button size="small" className="max-sm:h-11" title={t.queueHint} onClick={() => send("next-turn")}>
                  <ListPlus aria-hidden className="size-4" /> {t.queue}
                </Button>
                <Button title={t.steerHint} size="small" look="primary" type="submit" className="max-sm:h-11">
                  <CornerDownRight aria-hidden className="size-4" /> {t.steer}
                </Button>
              </>
            )}
            <Button size="small" look="danger" className="max-sm:h-11 max-sm:min-w-11" onClick={onStop} disabled={isStopping}>
              <Square aria-hidden className="size-3.5 fill-current" /> {isStopping ? t.stopping : t.stop}
            </Button>
          </>
        ) : (
          <Button size="small" look="primary" type="submit" disabled={isEmpty} className="max-sm:h-11 max-sm:min-w-11">
            <SendHorizontal aria-hidden className="size-4" /> {t.send}
          </Button>
        )}
      </div>
    </form>
  );
}
