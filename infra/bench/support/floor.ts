import { fork } from "node:child_process";
import { newId } from "@gantry/platform";
import type { FloorCall, FloorRun, FloorWorld } from "../step-floor.ts";
import { stepWord } from "./step-model.ts";

type Answer = { readonly id: number; readonly error: string | null };
type Work =
  | { readonly kind: "open"; readonly worlds: readonly FloorWorld[] }
  | { readonly kind: "run"; readonly runs: readonly FloorRun[] };

/** The process of step-floor.ts. */
export async function startFloor(url: string) {
  const child = fork(new URL("../step-floor.ts", import.meta.url), { execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  const wait = (id: number): Promise<void> => {
    const entry = Promise.withResolvers<void>();
    waiting.set(id, entry);
    return entry.promise;
  };
  child.on("message", ({ id, error }: Answer) => {
    if (error === null) waiting.get(id)?.resolve();
    else waiting.get(id)?.reject(new Error(error));
  });
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the floor ended with code ${code}`));
  });
  let calls = 0;
  const call = async (work: Work): Promise<void> => {
    const id = ++calls;
    const done = wait(id);
    child.send({ ...work, id, url } satisfies FloorCall);
    await done;
  };
  await wait(0);
  return {
    pid: child.pid ?? 0,
    /** Starts a container for each of so many sessions. */
    async open(orgId: string, count: number): Promise<FloorWorld[]> {
      const worlds = Array.from({ length: count }, () => ({ orgId, worldId: newId(), sessionId: newId(), workspaceId: newId() }));
      await call({ kind: "open", worlds });
      return worlds;
    },
    run: (runs: readonly FloorRun[]) => call({ kind: "run", runs }),
    close: () => void child.kill(),
  };
}

/** A request of ours in two parts, with another word in it: what stands before the messages, and the messages. */
export function partsOf(request: string, word: string, next: string): Pick<FloorRun, "head" | "messages"> {
  const { messages, ...rest } = JSON.parse(request) as { messages: object[] };
  const renamed = messages.map((message) => JSON.stringify(message).replaceAll(stepWord(word), stepWord(next)));
  return { head: JSON.stringify(rest).slice(0, -1), messages: renamed };
}
