"use client";
import type { AttachmentId } from "@gantry/contracts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { browserZone } from "../../lib/browser-zone.ts";
import { useTRPC, useTRPCClient } from "../../trpc/client.ts";
import { newClientKey, noteFirstPrompt } from "../session/outbox.ts";
import { useFirstFiles } from "./use-first-files.ts";

type Choices = { workspaceId: string; providerSlug: string; model: string; preset?: string; permission?: string };

/**
 * Makes a session with its first message and opens it. With files the message follows once the session has them; a refused file leaves the page as it is.
 * The same asked again, after an answer that was lost, is the same session and message (AG-245).
 */
export function useStart(org: string, onStarted: () => void) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const cache = useQueryClient();
  const router = useRouter();
  const files = useFirstFiles(org);
  const keyOf = useKeyOf();
  const begin = async ({ text, ...choices }: Choices & { text: string }): Promise<string | null> => {
    const timeZone = browserZone();
    const clientKey = keyOf({ text, ...choices, files: files.items.map(({ key }) => key) });
    const hasFiles = files.items.length > 0;
    const { sessionId } = await client.session.create.mutate({ org, ...choices, ...(!hasFiles && { prompt: text }), clientKey, timeZone });
    if (!hasFiles) {
      noteFirstPrompt(sessionId, { clientKey, text, messageId: null });
      return sessionId;
    }
    const attachments = await files.upload(sessionId);
    if (!attachments) return null;
    const attachmentIds = attachments.map(({ attachmentId }) => attachmentId as AttachmentId);
    const { messageId } = await client.session.send.mutate({
      org,
      sessionId,
      clientKey,
      text,
      target: "next-turn",
      attachmentIds,
      timeZone,
    });
    noteFirstPrompt(sessionId, { clientKey, text, attachments, messageId });
    return sessionId;
  };
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: begin,
    onSuccess: async (sessionId) => {
      if (sessionId === null) return;
      onStarted();
      router.push(`/${org}/s/${sessionId}`);
      await cache.invalidateQueries({ queryKey: trpc.session.list.pathKey() });
    },
  });
  return { start: mutate, files, error, isBusy: isPending || typeof data === "string" };
}

/** One key for the same thing, another for the next. */
function useKeyOf(): (asked: object) => string {
  const last = useRef({ of: "", key: "" });
  return (asked) => {
    const of = JSON.stringify(asked);
    if (last.current.of !== of) last.current = { of, key: newClientKey() };
    return last.current.key;
  };
}
