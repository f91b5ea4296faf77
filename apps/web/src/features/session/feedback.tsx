"use client";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import { agentTexts } from "../../strings/en/agent.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Textarea } from "../../ui/field.tsx";
import { IconButton } from "./rows/icon-button.tsx";
import { useSessionPlace } from "./session-context.ts";
import { type RatingValue, useFeedback } from "./use-feedback.ts";

const t = agentTexts.footer;

type Props = { messageId: string; before: ReactNode; actions: ReactNode };

/** Thumbs up or down for an answer, in the line of its other actions, and a note with it. Pressing the same thumb again takes it back. */
export function Rating({ messageId, before, actions }: Props): ReactNode {
  const { org, sessionId } = useSessionPlace();
  const { mine, error, isBusy, rate, takeBack } = useFeedback(org, sessionId, messageId);
  const [note, setNote] = useState<string | null>(null);
  const press = (rating: RatingValue) => {
    if (mine?.rating === rating) {
      setNote(null);
      return takeBack();
    }
    void rate(rating).then(
      () => setNote(""),
      () => {},
    );
  };
  const save = () =>
    mine &&
    note?.trim() &&
    void rate(mine.rating, note.trim()).then(
      () => setNote(null),
      () => {},
    );
  return (
    <>
      <div className="-mr-1.5 flex min-h-7 flex-wrap items-center justify-end">
        <span className="mr-auto flex min-w-0 flex-wrap items-center gap-x-2">
          {before}
          {mine?.note && note === null && <span className="max-w-60 truncate italic">“{mine.note}”</span>}
        </span>
        <span className="flex shrink-0">
          <IconButton
            icon={ThumbsUp}
            label={t.good}
            pressed={mine?.rating === "positive"}
            busy={isBusy}
            onClick={() => press("positive")}
          />
          <IconButton
            icon={ThumbsDown}
            label={t.bad}
            pressed={mine?.rating === "negative"}
            busy={isBusy}
            onClick={() => press("negative")}
          />
          {actions}
        </span>
      </div>
      {note !== null && mine && (
        <form
          className="mt-1 flex flex-col gap-2 rounded-box border bg-card p-3"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field label={t.noteLabel} hint={t.note}>
            {(control) => (
              <Textarea {...control} rows={2} maxLength={8_000} value={note} onChange={(event) => setNote(event.target.value)} />
            )}
          </Field>
          <div className="flex justify-end gap-2">
            <Button size="small" className="max-sm:h-11" onClick={() => setNote(null)}>
              {t.noteSkip}
            </Button>
            <Button size="small" look="primary" type="submit" className="max-sm:h-11" disabled={note.trim() === ""} busy={isBusy}>
              {t.noteSave}
            </Button>
          </div>
        </form>
      )}
      {error && (
        <p role="alert" className="text-bad text-tool">
          {t.feedbackFailed} {problemOf(error).why}
        </p>
      )}
    </>
  );
}
