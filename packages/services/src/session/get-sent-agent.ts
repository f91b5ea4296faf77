import type { CallConfig, SessionInput } from "@gantry/contracts";
import { readEvents, withOrg } from "@gantry/db";
import type { ServiceContext } from "../context.ts";
import { sessionNotFound } from "./session-not-found.ts";

/** What the model was told last about who it is and what it can do, as it was sent. */
export type SentAgent = {
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly config: CallConfig;
  /** since when, epoch milliseconds */
  readonly since: number;
};

/** Null until the session's model has been asked for the first time. @throws NOT_FOUND */
export async function getSentAgent({ orgId }: ServiceContext, { sessionId }: SessionInput): Promise<SentAgent | null> {
  const session = await withOrg(orgId, (tx) =>
    tx.session.findUnique({
      where: { orgId_id: { orgId, id: sessionId } },
      select: { events: { where: { type: "request/header" }, orderBy: { seq: "desc" }, take: 1, select: { seq: true } } },
    }),
  );
  if (!session) throw sessionNotFound();
  const seq = session.events[0]?.seq;
  if (seq === undefined) return null;
  const [event] = await readEvents(orgId, sessionId, { from: seq, to: seq + 1 });
  if (event?.type !== "request/header") return null;
  const { system = "", tools = [], config } = event.data.header;
  return { system, tools: tools.map(({ name, description }) => ({ name, description })), config, since: event.time };
}
