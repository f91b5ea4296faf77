import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import type { StreamBatch } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { follow, send } from "./api.ts";
import { saying } from "./model.ts";
import type { Person } from "./person.ts";
import { pidOf } from "./processes.ts";

export type Session = Awaited<ReturnType<Person["newSession"]>>;
/** One way from the model to clients. `text` hears what a client of one session gets, in order. */
export type TokenPath = {
  readonly pids: readonly number[];
  open(session: Session, text: (piece: string) => void): Promise<{ close(): void }>;
  /** Makes the model stream into the session; `word` tells the model what to send. */
  start(session: Session, word: string): Promise<unknown>;
  close(): void;
};

/** The installation's own: a message to the session, and the page's event stream. */
export function ownPath(person: Person, onBatch: (batch: StreamBatch) => void = () => {}): TokenPath {
  return {
    pids: [pidOf("worker"), pidOf("web"), pidOf("redis")],
    async open({ sessionId }, text) {
      const stream = follow(person, sessionId, (batch) => {
        onBatch(batch);
        for (const { run } of batch.deltas) text(run.text);
      });
      await stream.live;
      return stream;
    },
    start: ({ sessionId }, word) => send(person, sessionId, saying(word)),
    close: () => {},
  };
}

/** The limit: bare processes with one PUBLISH a token. */
export async function barePath(modelUrl: string): Promise<TokenPath> {
  const channel = `bench-${newId()}`;
  const spawn = (role: string): ChildProcess => fork(new URL("../token-floor.ts", import.meta.url), [role, channel], { execArgv: [] });
  const [worker, web] = [spawn("worker"), spawn("web")];
  const [, [{ port }]] = await Promise.all([once(worker, "message"), once(web, "message") as Promise<[{ port: number }]>]);
  return {
    pids: [worker.pid ?? 0, web.pid ?? 0, pidOf("redis")],
    open: ({ sessionId }, text) =>
      new Promise((resolve, reject) => {
        const sent = get(`http://127.0.0.1:${port}/${sessionId}`, { agent: false }, (response) => {
          let rest = "";
          response.setEncoding("utf8").on("data", (part: string) => {
            rest += part;
            for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
              text(JSON.parse(rest.slice("data: ".length, end)) as string);
              rest = rest.slice(end + 2);
            }
          });
          response.on("error", () => {}); // closed by `close`
          resolve({ close: () => sent.destroy() });
        });
        sent.once("error", reject);
      }),
    start: async ({ sessionId }, word) => worker.send({ session: sessionId, url: `${modelUrl}/bare?${saying(word)}` }),
    close: () => {
      worker.kill();
      web.kill();
    },
  };
}
