"use client";
import { useState } from "react";
import { uploadAttachment } from "../session/upload-attachment.ts";
import { type Attaching, attachingOf, letGo, maxAttachments } from "../session/use-attachments.ts";

type Stored = { readonly attachmentId: string; readonly name: string };
/** `stored`: where a session has it already, whose message was not answered */
type Held = Attaching & { readonly file: File; readonly stored?: Stored & { readonly sessionId: string } };

/** Files for the first message of a session. They are in this page until there is a session to take them. */
export function useFirstFiles(org: string) {
  const [items, setItems] = useState<readonly Held[]>([]);
  const add = (files: Iterable<File>) => {
    const more = [...files].slice(0, maxAttachments - items.length).map((file): Held => ({ ...attachingOf(file), state: "ready", file }));
    setItems((old) => [...old, ...more]);
  };
  const remove = (key: string) => {
    letGo(items.filter((item) => item.key === key));
    setItems((old) => old.filter((item) => item.key !== key));
  };
  const patch = (key: string, change: Partial<Held>) =>
    setItems((old) => old.map((item) => (item.key === key ? { ...item, ...change } : item)));
  const store = async (sessionId: string, { key, name, file, stored }: Held): Promise<Stored | null> => {
    if (stored?.sessionId === sessionId) return stored;
    patch(key, { state: "uploading", why: null });
    try {
      const attachmentId = await uploadAttachment({ org, sessionId, name, file });
      patch(key, { state: "ready", stored: { attachmentId, name, sessionId } });
      return { attachmentId, name };
    } catch (error) {
      patch(key, { state: "failed", why: (error as Error).message });
      return null;
    }
  };
  /** All of them, in their order; null when one was refused, which then says why. */
  const upload = async (sessionId: string): Promise<readonly Stored[] | null> => {
    const stored = await Promise.all(items.map((item) => store(sessionId, item)));
    return stored.every((one) => one !== null) ? stored : null;
  };
  return { items, add, remove, upload };
}
