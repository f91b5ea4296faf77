"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { en } from "../../strings/en.ts";
import { useTRPC } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { newClientKey } from "./outbox.ts";

/** Gives the session another title. */
export default function RenameDialog({
  org,
  sessionId,
  title,
  onClose,
}: {
  org: string;
  sessionId: string;
  title: string;
  onClose: () => void;
}): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [value, setValue] = useState(title);
  const [clientKey] = useState(newClientKey);
  const rename = useMutation(
    trpc.session.rename.mutationOptions({
      onSuccess: async () => {
        onClose();
        await cache.invalidateQueries({ queryKey: trpc.session.pathKey() });
      },
    }),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={en.session.rename}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ org, sessionId, clientKey, title: value });
        }}
      >
        <Field label={en.session.title} error={rename.error && problemOf(rename.error).why}>
          {(control) => <Input {...control} value={value} maxLength={200} required onChange={(event) => setValue(event.target.value)} />}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{en.cancel}</Button>
          <Button look="primary" type="submit" busy={rename.isPending}>
            {en.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
