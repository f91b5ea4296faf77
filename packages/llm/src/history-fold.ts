import type { Message } from "@gantry/contracts";
import type { AdapterRequest } from "./request.ts";

type Asked = Pick<AdapterRequest, "messages" | "signal">;
type Fold<S, R> = {
  readonly start: (request: R) => S;
  readonly take: (state: S, message: Message, request: R) => void;
  /** whether what was begun for one request serves another; absent: always */
  readonly fits?: (state: S, request: R) => boolean;
  /** whether a message says the same in every request; absent: one that is frozen does */
  readonly keeps?: (message: Message) => boolean;
};
type Reading<S> = { readonly messages: Message[]; readonly state: S };

/**
 * A reading of the messages of requests that costs what is new in them: those of one turn have one signal, and each begins with the messages of the one
 * before it. Where that is not so the reading begins anew. It goes with the turn. Whoever gets the state only looks at it.
 */
export function historyFold<S, R extends Asked = Asked>({ start, take, fits, keeps = Object.isFrozen }: Fold<S, R>): (request: R) => S {
  const readings = new WeakMap<AbortSignal, Reading<S>>();
  return (request) => {
    const { messages, signal } = request;
    const last = readings.get(signal);
    const before = last && begins(messages, last.messages) && (fits?.(last.state, request) ?? true) ? last : undefined;
    const isKept = messages.slice(before?.messages.length ?? 0).every(keeps);
    const reading: Reading<S> = (isKept && before) || { messages: [], state: start(request) };
    for (const message of messages.slice(reading.messages.length)) {
      take(reading.state, message, request);
      reading.messages.push(message);
    }
    if (isKept) readings.set(signal, reading);
    return reading.state;
  };
}

const begins = (messages: readonly Message[], first: readonly Message[]): boolean => first.every((message, at) => message === messages[at]);
