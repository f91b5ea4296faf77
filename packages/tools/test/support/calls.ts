import { textsOf } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { defineTool, type ToolAgent, type ToolDefinition, type ToolOutcome, type ToolRun } from "../../src/index.ts";

export type CallSetup = { agent?: ToolAgent; signal?: AbortSignal };

let calls = 0;

export function prepare(ctx: Context, name: string, args: unknown, { agent, signal }: CallSetup = {}) {
  const raw = typeof args === "string" ? args : JSON.stringify(args);
  const options = { signal: signal ?? new AbortController().signal, turn: 1, step: 1, ...(agent && { agent }) };
  return ctx.tools.prepare({ callId: `call-${++calls}`, name, arguments: raw }, options);
}

/** One call through all three thirds of the pipeline. */
export async function call(ctx: Context, name: string, args: unknown, setup: CallSetup = {}): Promise<ToolOutcome> {
  const prepared = await prepare(ctx, name, args, setup);
  return (await prepared.run()).commit();
}

export function textOf(outcome: ToolOutcome): string {
  return textsOf(outcome.content).join("");
}

/** A tool that answers with a string; `body` may be replaced. */
export function echoTool(
  name = "echo",
  body: (args: { text?: string | undefined }, run: ToolRun) => Promise<string> | string = ({ text }) => text ?? "",
): ToolDefinition {
  return defineTool({
    name,
    description: "Answers with its text.",
    parameters: z.object({ text: z.string().optional() }),
    output: z.string(),
    execute: async (args, run) => body(args, run),
    render: (value) => value,
  });
}
