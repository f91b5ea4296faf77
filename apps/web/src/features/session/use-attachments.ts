"use client";
import { useState } from "react";
import { attachmentTexts } from "../../strings/en/attachments.ts";
import { uploadAttachment } from "./upload-attachment.ts";

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

export const maxAttachments = 20;
/** Pictures that a browser draws without running anything in them. */
const pictures = /^image\/(png|jpeg|gif|webp)$/;

/** A file as it is shown before anything has become of it. */
export const attachingOf = (file: File): Attaching => ({
  key: crypto.randomUUID(),
  name: file.name || attachmentTexts.image,
  preview: pictures.test(file.type) ? URL.createObjectURL(file) : null,
  state: "uploading",
  attachmentId: null,
  why: null,
});

/** Frees what the pictures of these hold. */
export function letGo(items: readonly Attaching[]): void {
  for (const { preview } of items) if (preview) URL.revokeObjectURL(preview);
}

/** Files for the next message: each is uploaded at once, and its refusal is shown beside its name. */
export function useAttachments(org: string, sessionId: string): Attachments {
  const [items, setItems] = useState<readonly Attaching[]>([]);
  const patch = (key: string, change: Partial<Attaching>) =>
    setItems((old) => old.map((item) => (item.key === key ? { ...item, ...change } : item)));

  const add = (files: Iterable<File>) => {
    for (const file of [...files].slice(0, maxAttachments - items.length)) {
      const item = attachingOf(file);
      const { key, name } = item;
      setItems((old) => [...old, item]);
      uploadAttachment({ org, sessionId, name, file }).then(
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
