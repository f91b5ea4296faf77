"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { sessionTexts } from "../../strings/en/session.ts";
import { useTRPC } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Input } from "../../ui/field.tsx";
import { newClientKey } from "./outbox.ts";

type Props = { org: string; sessionId: string; title: string; onClose: () => void };

/** Gives the session another title, in the title's place. Enter and leaving the field save, Escape does not. */
export default function TitleForm({ org, sessionId, title, onClose }: Props): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [value, setValue] = useState(title);
  const [clientKey, setClientKey] = useState(newClientKey);
  const rename = useMutation(
    trpc.session.rename.mutationOptions({
      onError: () => setClientKey(newClientKey()),
      onSuccess: async () => {
        onClose();
        await cache.invalidateQueries({ queryKey: trpc.session.pathKey() });
      },
    }),
  );
  const save = () => {
    const next = value.trim();
    if (next === "" || next === title) onClose();
    else if (!rename.isPending) rename.mutate({ org, sessionId, clientKey, title: next });
  };
  return (
    <form
      className="flex min-w-0 flex-1 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Input
        autoFocus
        aria-label={sessionTexts.title}
        aria-invalid={rename.error ? true : undefined}
        value={value}
        maxLength={200}
        onChange={(event) => setValue(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
        className="h-8 max-w-96 max-sm:h-11"
      />
      {rename.error && (
        <span role="alert" className="line-clamp-2 min-w-0 text-bad text-xs">
          {sessionTexts.renameFailed} {problemOf(rename.error).fields.title ?? problemOf(rename.error).why}
        </span>
      )}
    </form>
  );
}
