"use client";
import type { Question } from "@gantry/contracts";
import { MessageCircleQuestionMark } from "lucide-react";
import { type ReactNode, useState } from "react";
import { agentTexts } from "../../../strings/en/agent.ts";
import { problemOf } from "../../../trpc/problem.ts";
import { Button } from "../../../ui/button.tsx";
import { Textarea } from "../../../ui/field.tsx";
import { Markdown } from "../markdown.tsx";
import { answersOf, type Draft, draftOf, pick, write } from "./answers.ts";
import { PromptFrame } from "./prompt-frame.tsx";
import { type Prompt, useAnswer } from "./use-answer.ts";

const t = agentTexts.question;

type Props = { org: string; sessionId: string; prompt: Extract<Prompt, { kind: "question" }>; onStop: () => void; isStopping: boolean };

/** The agent's questions with their options, and room for other words (ASK-1). */
export function QuestionCard({ org, sessionId, prompt, ...stop }: Props): ReactNode {
  const { answer, say } = useAnswer(org, sessionId, prompt);
  const [draft, setDraft] = useState<Draft>({});
  const { questions } = prompt;
  const answers = answersOf(draft, questions);
  const isDone = answer.isPending || answer.isSuccess;
  const formId = `questions-${prompt.id}`;
  return (
    <PromptFrame
      icon={<MessageCircleQuestionMark aria-hidden className="size-5 shrink-0 text-warn" />}
      title={t.title}
      expiresAt={prompt.expiresAt}
      error={answer.error && problemOf(answer.error).why}
      {...stop}
      buttons={
        <>
          <Button className="h-11" title={t.dismissHint} disabled={isDone} onClick={() => say({ outcome: "dismiss" })}>
            {t.dismiss}
          </Button>
          <Button
            look="primary"
            type="submit"
            form={formId}
            className="h-11"
            disabled={isDone || answers.length === 0}
            busy={answer.isPending}
          >
            {t.answer}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDone && answers.length > 0) say({ outcome: "answer", answers });
        }}
      >
        {questions.map((question) => (
          <Asked key={question.id} question={question} draft={draft} onDraft={setDraft} />
        ))}
      </form>
      {questions.length > 1 && <p className="mt-3 text-soft text-xs">{t.skip}</p>}
    </PromptFrame>
  );
}

function Asked({ question, draft, onDraft }: { question: Question; draft: Draft; onDraft: (draft: Draft) => void }): ReactNode {
  const { id, header, question: text, detail, options, multiSelect = false } = question;
  const { selected, custom } = draftOf(draft, id);
  return (
    <fieldset>
      <legend className="mb-2 text-sm">
        {header && <span className="mr-2 rounded-full border px-2 py-px text-soft text-xs">{header}</span>}{" "}
        <span className="font-medium">{text}</span>
      </legend>
      {detail && (
        <section aria-label={t.detail} className="mb-2 rounded-box border bg-panel p-3">
          <Markdown text={detail} />
        </section>
      )}
      {options.map(({ label, description }) => (
        <label key={label} className="flex min-h-9 cursor-pointer items-start gap-3 rounded-md px-2 py-1.5 hover:bg-hover max-sm:min-h-11">
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={`question-${id}`}
            checked={selected.includes(label)}
            onChange={(event) => onDraft(pick(draft, question, label, event.target.checked))}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0 break-words text-sm">
            {label}
            {description && <span className="block text-soft text-tool">{description}</span>}
          </span>
        </label>
      ))}
      <Textarea
        aria-label={`${t.own}: ${text}`}
        placeholder={options.length > 0 && !multiSelect ? t.ownInstead : t.own}
        rows={1}
        maxLength={20_000}
        value={custom}
        onChange={(event) => onDraft(write(draft, question, event.target.value))}
        className="field-sizing-content mt-1 min-h-9! max-sm:min-h-11!"
      />
    </fieldset>
  );
}
