import type { Message } from "@gantry/contracts";
import { isEvent } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { newId } from "@gantry/platform";
import { z } from "zod";
import type { Agent } from "../loop/agent.ts";
import { isEntered } from "../loop/events.ts";
import { frame, updateText } from "./frame.ts";
import { WorkspaceMemory } from "./memory.ts";
import { InstructionState } from "./state.ts";

export const name = "agent-instructions";
export const inject = ["fs"];
export const Config = z.strictObject({
  /** Bytes of all instructions together; the most specific are kept whole first. */
  maxBytes: z.number().int().positive().max(1_048_576).default(65_536),
  /**
   * How long the first session in a workspace that this worker has not seen waits for its world, in ms; what is not there by then enters with a
   * later step. Sessions after it begin with what was read last and are told of changes at their next step.
   */
  waitMs: z.number().int().nonnegative().max(60_000).default(3_000),
});
type Config = z.infer<typeof Config>;

/** Instructions of the workspace as messages: a baseline (INS-1), then what is new, changed or gone (INS-3). */
export function apply(ctx: Context, config: Config): void {
  const { fs } = ctx;
  const states = new WeakMap<object, InstructionState>();
  const remembered = new WorkspaceMemory();
  const stateOf = (agent: Agent): InstructionState => {
    const state = states.get(agent) ?? InstructionState.of(agent.log.events, name);
    states.set(agent, state);
    return state;
  };
  ctx.on("session/event", ({ agent, event }) => {
    const known = states.get(agent);
    if (known && isEvent(event, "user/message")) known.follow(event, name);
  });
  ctx.on("fs/observed", (agent, { targetKey }) => {
    states.get(agent.scope)?.touch(targetKey);
  });
  ctx.on("agent/pre-step", async (input, next) => {
    const decision = await next();
    if (!isEntered(input, decision)) return decision;
    const state = stateOf(input.agent);
    const said = await state.whatToSay(() => fs.for(input.agent), {
      ...config,
      isNewTurn: input.step === 1,
      isWorldUp: input.agent.isWorldUp,
      memory: remembered.of(input.agent.workspaceId),
      warn: (err) => warn(ctx, err),
    });
    return said ? { kind: "enter", messages: [message(said), ...decision.messages] } : decision;
  });
}

type Said = NonNullable<Awaited<ReturnType<InstructionState["whatToSay"]>>>;

function message(said: Said): Message {
  const text = said.kind === "baseline" ? frame(said.files, said.notices) : updateText(said);
  const names = said.files.map(({ path }) => path);
  const about = [...names, ...said.removed, ...said.notices].join(", ");
  const summary = said.kind === "baseline" ? about : `changed: ${about}`;
  const data = { kind: said.kind, known: said.known };
  const source = { kind: "plugin", plugin: name, form: "instructions", summary, data } as const;
  return { id: newId(), role: "user", content: [{ type: "text", text }], source };
}

const warn = (ctx: Context, err: unknown): void =>
  ctx.logger.warn({ err }, "instructions could not be read; the step goes on without them");
