import type { TestContext } from "node:test";
import type { JsonObject, SessionEvent } from "@gantry/contracts";
import type { Script } from "@gantry/testing";
import { toolResults } from "@gantry/testing";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import type { Agent } from "../../src/loop/agent.ts";
import { type AnsweredPrompt, applyAnswer } from "../../src/session/apply-answer.ts";
import type { LogBatch } from "../../src/session/log.ts";
import type { NewPrompt } from "../../src/session/prompts.ts";
import { recoverSession } from "../../src/session/recover-session.ts";
import { dataOf, resultText, testAgent } from "./agent.ts";

type Call = { readonly name: string; readonly arguments?: Record<string, unknown> };
type Options = {
  readonly calls?: readonly Call[];
  readonly script?: Script;
  readonly events?: readonly SessionEvent[];
  readonly host?: Readonly<Record<string, JsonObject>>;
  readonly rows?: Parameters<typeof testAgent>[1]["rows"];
  readonly write?: (batch: LogBatch) => Promise<void>;
  readonly world?: Parameters<typeof testAgent>[1]["world"];
};

/** Asks a person before the tool `risky` runs. */
export const askRisky = { "permission-rules": { rules: [{ tool: "risky", decision: "ask", reason: "it is risky" }] } };

/** An agent with a tool `risky` that counts its runs, and the rows that its batches would store. */
export async function waitingAgent(t: TestContext, { calls = [{ name: "risky" }], host = askRisky, ...options }: Options = {}) {
  const prompts: NewPrompt[] = [];
  const closed: string[] = [];
  const statuses: string[] = [];
  const dispatched = new Set<number>();
  const script: Script = (request) =>
    toolResults(request).length === 0
      ? { toolCalls: calls.map((call) => ({ name: call.name, arguments: call.arguments ?? {} })) }
      : { text: "finished" };
  const tested = await testAgent(t, {
    script,
    host,
    ...options,
    write: async (batch) => {
      await options.write?.(batch);
      prompts.push(...batch.prompts.open);
      closed.push(...batch.prompts.close);
      if (batch.patch.status) statuses.push(batch.patch.status);
      for (const seq of batch.ledger.dispatched) dispatched.add(seq);
      for (const seq of batch.ledger.finished) dispatched.delete(seq);
    },
  });
  const { agent } = tested;
  const runs: string[] = [];
  agent.ctx.tools.register(
    defineTool({
      name: "risky",
      description: "counts",
      parameters: z.object({ what: z.string().optional() }),
      output: z.object({ text: z.string() }),
      execute: async ({ what = "done" }) => {
        runs.push(what);
        return { text: what };
      },
      render: ({ text }) => text,
    }),
  );
  /** A person's answer to the newest question, as the command brings it. */
  const answer = (said: AnsweredPrompt["answer"], more: Partial<AnsweredPrompt> = {}) => {
    const prompt = prompts.at(-1);
    if (!prompt) throw new Error("nothing was asked");
    applyAnswer(agent, prompt.id, { state: "answered", binding: prompt.binding, answer: said, decidedBy: "ada", ...more });
  };
  const decide = (outcome: "allowed-once" | "rejected") => answer({ kind: "approval", outcome });
  /** What a worker does that takes the session up. */
  const recover = (stopAsked = new AbortController().signal, status = "waiting") => {
    const evidence = { ended: new AbortController().signal, stopAsked, autoContinue: "safe" as const, status };
    return recoverSession(agent, { ...evidence, dispatched: async () => [...dispatched] });
  };
  return { ...tested, prompts, closed, statuses, runs, answer, decide, recover, dispatched };
}

export const outcomes = (agent: Agent) => dataOf(agent, "approval/decided").map(({ outcome }) => outcome);
export const results = (agent: Agent) => dataOf(agent, "tool/result").map(({ message }) => resultText(message));
export const ends = (agent: Agent) =>
  dataOf(agent, "turn/end").map(({ reason }) => (reason.kind === "aborted" ? `aborted by ${reason.reason}` : reason.kind));
