"use client";
import type { ApiErrorData } from "@gantry/api";
import { useState } from "react";
import { attachmentTexts } from "../../strings/en/attachments.ts";

/** A file on its way into the session. `attachmentId` is there once the server has it. */
export type Attaching = {
  readonly key: string;
  readonly name: string;
  /** address of the picture itself while it is in this page; null for other files */
  readonly preview: string | null;
  readonly state: "uploading" | "ready" | "failed";
  readonly attachmentId: string | null;
  readonly why: string | null;
};
export type Attachments = {
  readonly items: readonly Attaching[];
  readonly add: (files: Iterable<File>) => void;
  readonly remove: (key: string) => void;
  /** what is ready, for a message; the list is empty afterwards */
  readonly take: () => { attachmentId: string; name: string }[];
};

const maxItems = 20;
/** Pictures that a browser draws without running anything in them. */
const pictures = /^image\/(png|jpeg|gif|webp)$/;

function letGo(items: readonly Attaching[]): void {
  for (const { preview } of items) if (preview) URL.revokeObjectURL(preview);
}

/** Files for the next message: each is uploaded at once, and its refusal is shown beside its name. */
export function useAttachments(org: string, sessionId: string): Attachments {
  const [items, setItems] = useState<readonly Attaching[]>([]);
  const patch = (key: string, change: Partial<Attaching>) =>
    setItems((old) => old.map((item) => (item.key === key ? { ...item, ...change } : item)));

  const add = (files: Iterable<File>) => {
    for (const file of [...files].slice(0, maxItems - items.length)) {
      const key = crypto.randomUUID();
      const name = file.name || attachmentTexts.image;
      const preview = pictures.test(file.type) ? URL.createObjectURL(file) : null;
      setItems((old) => [...old, { key, name, preview, state: "uploading", attachmentId: null, why: null }]);
      upload(`/api/attachments?${new URLSearchParams({ org, session: sessionId, name })}`, file).then(
        (attachmentId) => patch(key, { state: "ready", attachmentId }),
        (error: Error) => patch(key, { state: "failed", why: error.message }),
      );
    }
  };
  const remove = (key: string) => {
    letGo(items.filter((item) => item.key === key));
    setItems((old) => old.filter((item) => item.key !== key));
  };
  const take = () => {
    const ready = items.flatMap(({ attachmentId, name }) => (attachmentId === null ? [] : [{ attachmentId, name }]));
    letGo(items);
    setItems([]);
    return ready;
  };
  return { items, add, remove, take };
}

/** @throws Error with the reason in words */
async function upload(address: string, file: File): Promise<string> {
  const response = await fetch(address, { method: "POST", body: file, headers: { "content-type": "application/octet-stream" } }).catch(
    () => null,
  );
  const body = (await response?.json().catch(() => null)) as {
    attachmentId?: string;
    error?: { message?: string; data?: ApiErrorData };
  } | null;
  if (body?.attachmentId) return body.attachmentId;
  throw new Error(body?.error?.message ?? attachmentTexts.failed);
}
