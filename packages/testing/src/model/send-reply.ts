import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault, Reply, ScriptRequest } from "./script.ts";
import type { Wire } from "./wire.ts";

/** Sends one scripted answer, faults included. Resolves when it is sent or the client has left. */
export async function sendReply(response: ServerResponse, wire: Wire, request: ScriptRequest, reply: Reply): Promise<void> {
  const { fault } = reply;
  if (fault?.kind === "status") return sendStatus(response, wire, fault);
  if (fault?.kind === "html") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<!doctype html><title>Sign in</title><p>This is a web page.");
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "x-request-id": `req-${request.index}` });
  response.flushHeaders();
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const comments = startComments(response, reply.commentEveryMs);
  try {
    await sendEvents(response, wire, request, reply, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    clearInterval(comments);
  }
}

async function sendEvents(response: ServerResponse, wire: Wire, request: ScriptRequest, reply: Reply, gone: AbortSignal): Promise<void> {
  const { fault } = reply;
  let sent = 0;
  for (const event of eventsOf(wire, request, reply)) {
    if (fault && "afterChunks" in fault && sent === fault.afterChunks) break;
    if (reply.delayMs) await pause(reply.delayMs, undefined, { signal: gone });
    await write(response, event, gone);
    sent++;
  }
  switch (fault?.kind) {
    case "cut":
      // what was written must arrive before the reset
      await pause(20, undefined, { signal: gone });
      response.destroy();
      return;
    case "silent":
      return untilGone(gone);
    case "close":
      response.end();
      return;
    default:
      response.end(wire.endMark);
  }
}

function eventsOf(wire: Wire, request: ScriptRequest, reply: Reply): string[] {
  if (reply.rawData) return reply.rawData.map((data) => wire.wrapRaw(data));
  if (reply.fault?.kind === "garbage") return [wire.wrapRaw("{this is not JSON"), wire.wrapRaw("\u0000\uFFFD<<<")];
  if (reply.fault?.kind === "error-event") return [wire.errorEvent(reply.fault.message, reply.fault.type)];
  return wire.events(reply, { model: request.model, id: `reply-${request.index}` });
}

function sendStatus(response: ServerResponse, wire: Wire, fault: Extract<Fault, { kind: "status" }>): void {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  if (fault.location !== undefined) headers.location = fault.location;
  response.writeHead(fault.status, headers);
  response.end(JSON.stringify(wire.errorBody(fault.message ?? `scripted ${fault.status}`, fault.type ?? "scripted_error")));
}

function startComments(response: ServerResponse, everyMs: number | undefined): NodeJS.Timeout | undefined {
  return everyMs === undefined ? undefined : setInterval(() => response.write(": still here\n\n"), everyMs);
}

async function write(response: ServerResponse, text: string, gone: AbortSignal): Promise<void> {
  if (gone.aborted) throw gone.reason;
  if (response.write(text)) return;
  await new Promise<void>((resolve) => {
    response.once("drain", resolve);
    gone.addEventListener("abort", () => resolve(), { once: true });
  });
}

function untilGone(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) resolve();
    else gone.addEventListener("abort", () => resolve(), { once: true });
  });
}
