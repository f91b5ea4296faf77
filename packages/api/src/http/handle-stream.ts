import { AppError, isAppError, type StreamBatch } from "@gantry/contracts";
import { callTRPCProcedure, getTRPCErrorFromUnknown, type TrackedEnvelope } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import superjson from "superjson";
import { createApiContext, type RequestFacts } from "../context.ts";
import { describeError, toTrpcError } from "../error-shape.ts";
import { appRouter } from "../router.ts";
import { transformer } from "../transformer.ts";
import { eventStream } from "./event-stream.ts";
import { answerHeaders, logFault } from "./refuse.ts";

const path = "session.stream";

/** Whether a request opens the one stream that {@link handleStream} answers. */
export const isStreamCall = ({ method }: Request, { pathname, searchParams }: URL): boolean =>
  method === "GET" && pathname.endsWith(`/${path}`) && !searchParams.has("batch");

/**
 * Answers `session.stream` as tRPC would: the same procedure with its access and input checks, the same events for `httpSubscriptionLink`, resumed from
 * `Last-Event-ID`. Only the writing is ours: batches are plain JSON, so superjson has nothing to say of them and is not asked.
 */
export function handleStream(request: Request, url: URL, facts: RequestFacts): Response {
  const body = eventStream(
    {
      open: (signal) => openBatches(request, url, { facts, signal }),
      textOf: ([id, batch]: TrackedEnvelope<StreamBatch>) => `data: {"json":${JSON.stringify(batch)}}\nid: ${id}\n\n`,
      failure: (cause) => {
        const error = getTRPCErrorFromUnknown(toTrpcError(cause));
        logFault(error, path, facts.deps);
        return JSON.stringify(superjson.serialize({ code: TRPC_ERROR_CODES_BY_KEY[error.code], ...describeError(error) }));
      },
    },
    request.signal,
  );
  const headers = answerHeaders([]);
  headers.set("content-type", "text/event-stream");
  headers.append("cache-control", "no-transform");
  headers.set("x-accel-buffering", "no");
  return new Response(body, { headers });
}

type Opening = { facts: RequestFacts; signal: AbortSignal };

async function openBatches(
  { headers }: Request,
  { searchParams }: URL,
  { facts, signal }: Opening,
): Promise<AsyncIterable<TrackedEnvelope<StreamBatch>>> {
  const lastEventId = headers.get("last-event-id") ?? searchParams.get("lastEventId");
  const getRawInput = async (): Promise<unknown> => {
    const input = readInput(searchParams.get("input"));
    return lastEventId ? { ...input, lastEventId } : input;
  };
  const call = { router: appRouter, path, type: "subscription" as const, ctx: createApiContext(facts), getRawInput, signal, batchIndex: 0 };
  return (await callTRPCProcedure(call)) as AsyncIterable<TrackedEnvelope<StreamBatch>>;
}

/** @throws BAD_REQUEST for what is no JSON */
function readInput(text: string | null): object | undefined {
  if (text === null) return undefined;
  try {
    return transformer.input.deserialize(JSON.parse(text)) as object;
  } catch (error) {
    throw isAppError(error) ? error : new AppError("BAD_REQUEST", "The request is not valid JSON.");
  }
}
