import { byteSize } from "../../lib/format.ts";
import { workspaceTexts } from "../../strings/en/workspaces.ts";
import { fill } from "../../strings/fill.ts";
import type { WorkspaceItem } from "../../trpc/outputs.ts";

const t = workspaceTexts;

/** How a workspace was filled, in words. */
export function sourceText({ source }: Pick<WorkspaceItem, "source">): string {
  if (source.kind === "archive") return fill(t.sources.archive, { size: byteSize(source.bytes) });
  return source.kind === "clone" ? fill(t.sources.clone, { url: source.url.replace(/^https:\/\//, "") }) : t.sources.empty;
}

export const sessionsText = (n: number): string => (n === 0 ? t.noSessions : n === 1 ? t.sessionOne : fill(t.sessions, { n }));
