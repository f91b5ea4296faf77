import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const mark = "bench:";

/** A message that the model of {@link startStepModel} tells apart from all others; `word` names one run of a loop. */
export const stepWord = (word: string): string => `${mark}${word};`;

export type StepAnswer = { readonly tool: "bash" | "read"; readonly args: object } | { readonly text: string };
/** The requests of one word in order: when the last byte of each was here, and when the last byte of its answer was written. */
export type StepRun = { readonly received: number[]; readonly answered: number[]; first: string; bytes: number };
type Options = {
  /** the answer to request `index` of a word, counted from 0 */
  readonly answer: (word: string, index: number) => StepAnswer;
  /** runs between a request's arrival and its answer, so that what it costs is no part of any overhead */
  readonly between?: (word: string, index: number) => Promise<void>;
};

/** A model server for loops of tool calls. It asks a request only for its word and tells side calls, which offer no tools, from steps. */
export async function startStepModel({ answer, between }: Options) {
  const runs = new Map<string, StepRun>();
  const runOf = (word: string): StepRun => {
    const run = runs.get(word) ?? { received: [], answered: [], first: "", bytes: 0 };
    runs.set(word, run);
    return run;
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.once("end", () => {
      const at = performance.now();
      const body = Buffer.concat(parts);
      if (!body.includes('"tools":[')) return write(response, { text: "a title" });
      const from = body.lastIndexOf(mark) + mark.length;
      const word = body.toString("utf8", from, body.indexOf(";", from));
      const run = runOf(word);
      const index = run.received.push(at) - 1;
      run.bytes = body.length;
      if (index === 0) run.first = body.toString("utf8");
      Promise.resolve(between?.(word, index)).then(
        () => {
          write(response, answer(word, index));
          run.answered.push(performance.now());
        },
        (error: Error) => response.destroy(error),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.keepAliveTimeout = 60_000;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    runOf,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const piece = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "bench", choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })}\n\n`;
let calls = 0;

function write(response: ServerResponse, answer: StepAnswer): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(piece({ role: "assistant", content: "" }));
  if ("text" in answer) {
    response.write(piece({ content: answer.text }));
    response.end(`${piece({}, "stop")}${usage}data: [DONE]\n\n`);
    return;
  }
  const id = `call_${++calls}`;
  const call = { index: 0, id, type: "function", function: { name: answer.tool, arguments: "" } };
  response.write(piece({ tool_calls: [call] }));
  response.write(piece({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(answer.args) } }] }));
  response.end(`${piece({}, "tool_calls")}${usage}data: [DONE]\n\n`);
}

/** What lay between an answer and the next request, in ms, for the requests `from` to `to` (inclusive). */
export function overheads({ received, answered }: StepRun, from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => (received[from + at] ?? Number.NaN) - (answered[from + at - 1] ?? Number.NaN));
}
