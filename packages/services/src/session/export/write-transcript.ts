import type { OrgId } from "@gantry/contracts";
import { readEvents } from "@gantry/db";
import type { ReadableSession } from "../query/query-scope.ts";
import { createTranscript } from "./transcript.ts";
import type { TranscriptForm } from "./transcript-form.ts";

const pageEvents = 500;

/** A session for people to read, page by page of its log, up to where the log ended when the export began. @throws SESSION_CORRUPT, SESSION_UNSUPPORTED */
export async function* writeTranscript(orgId: OrgId, session: ReadableSession, form: TranscriptForm): AsyncGenerator<string, void, void> {
  const itemsOf = createTranscript();
  let text = form.begin({ title: session.title ?? "Untitled session", createdAt: new Date(session.createdAt).toISOString() });
  for (let from = 0; from < session.nextSeq; from += pageEvents) {
    const to = Math.min(session.nextSeq, from + pageEvents);
    for (const event of await readEvents(orgId, session.id, { from, to })) for (const item of itemsOf(event)) text += form.item(item);
    if (text !== "") yield text;
    text = "";
  }
  yield `${text}${form.end()}`;
}
