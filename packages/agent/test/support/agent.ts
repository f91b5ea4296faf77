import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { composeOrg, type MountRow } from "@gantry/compose";
import {
  AppError,
  type EventData,
  type EventType,
  type JsonObject,
  type LiveFrame,
  type Message,
  type OrgId,
  type ProviderId,
  type SessionEvent,
  type SessionId,
  textsOf,
  type UserId,
} from "@gantry/contracts";
import { type Script, startScriptedModel } from "@gantry/testing";
import { defineTool } from "@gantry/tools";
import { z } from "zod";
import type { AttachmentStore } from "../../src/attachments/store.ts";
import type { Agent, AgentOptions } from "../../src/loop/agent.ts";
import { OrgRoot } from "../../src/root/org-root.ts";
import type { LogBatch } from "../../src/session/log.ts";
import type { SettingsStore } from "../../src/settings/store.ts";
import { userMessage } from "./log.ts";

type Options = {
  script: Script;
  titles?: Script;
  world?: AgentOptions["openWorld"];
  workspaceId?: string;
  seedLength?: number;
  events?: readonly SessionEvent[];
  rows?: readonly MountRow[];
  host?: Readonly<Record<string, JsonObject>>;
  write?: (batch: LogBatch) => Promise<void>;
  attachments?: AttachmentStore;
  settings?: SettingsStore;
  /** what the model is called; its name says whether it takes images */
  model?: string;
};

const quiet = { debug: () => {}, info: () => {}, error: () => {} };
type Warning = { readonly about: object; readonly text: string };

/** A live agent on a real root and a scripted model, with a log in memory and no container. */
export async function testAgent(t: TestContext, options: Options) {
  const model = await startScriptedModel(options.script, options.titles ? { titles: options.titles } : {});
  const orgId = randomUUID() as OrgId;
  const provider = {
    id: randomUUID() as ProviderId,
    slug: "scripted",
    kind: "openai_compatible" as const,
    baseUrl: model.url,
    models: [options.model ?? "test"],
  };
  const warnings: Warning[] = [];
  const root = await OrgRoot.build({
    orgId,
    logger: { ...quiet, warn: (about: unknown, text = "") => void warnings.push({ about: about as object, text }) },
    credentials: { resolve: () => Promise.resolve("key") },
    ...(options.attachments ? { attachments: options.attachments } : {}),
    ...(options.settings ? { settings: options.settings } : {}),
    rows: hostRows(composeOrg({ providers: [provider], facts: { "platform.privateHosts": true } }).mounts, options.host),
  });
  t.after(async () => {
    await root.close();
    await model.close();
  });
  const frames: LiveFrame[] = [];
  const create = ({ world, workspaceId, seedLength, events = [] }: Pick<Options, "world" | "workspaceId" | "seedLength" | "events">) =>
    root.createAgent(
      {
        orgId,
        sessionId: randomUUID() as SessionId,
        userId: randomUUID() as UserId,
        epoch: 1,
        events,
        ...(workspaceId === undefined ? {} : { workspaceId }),
        ...(seedLength === undefined ? {} : { seedLength }),
        route: { provider: "scripted", model: options.model ?? "test" },
        mode: "workspace-write",
        write: async (batch) => options.write?.(batch),
        publish: (frame) => frames.push(frame),
        openWorld: world ?? (() => Promise.reject(new AppError("ENGINE_DOWN", "This test has no container engine."))),
      },
      { presetId: "test", slug: "test", revision: 1, hash: "test", mounts: options.rows ?? [] },
    );
  const agent = await create(options);
  const say = (text: string, target: "next-turn" | "next-step" = "next-turn") => agent.send(userMessage(text), target, true);
  /** A second session of the same org and preset. */
  const another = (own: Pick<Options, "world" | "workspaceId">) => create(own);
  return { agent, model, frames, say, root, another, warnings };
}

/** Config of host rows by row id, in the place of what they have. */
const hostRows = (rows: readonly MountRow[], config: Options["host"] = {}): MountRow[] =>
  rows.map((row) => (config[row.id] ? { ...row, config: config[row.id] } : row)) as MountRow[];

/** A tool whose body waits until the test lets it go. */
export function gateTool(agent: Agent, name: string, { parallel = false, concludes = false, onAsked = () => {} } = {}) {
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<string>();
  const tool = defineTool({
    name,
    description: "waits for the test",
    parameters: z.object({}),
    output: z.object({ text: z.string() }),
    isConcurrencySafe: () => {
      onAsked();
      return parallel;
    },
    execute: async (_args, { signal, concludeTurn }) => {
      started.resolve();
      if (concludes) concludeTurn();
      const aborted = new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("stopped"), { once: true }));
      return { text: await Promise.race([gate.promise, aborted]) };
    },
    render: ({ text }) => text,
  });
  agent.ctx.tools.register(tool);
  return { started: started.promise, finish: (text = name) => gate.resolve(text) };
}

export const types = (agent: Agent) => agent.log.events.map((event) => event.type);

export function dataOf<T extends EventType>(agent: Agent, type: T): EventData<T>[] {
  return agent.log.events.filter((event) => event.type === type).map((event) => event.data as EventData<T>);
}

export const textOf = (message: Message) => message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
export const resultText = (message: Message) =>
  message.content.flatMap((block) => (block.type === "tool-result" ? textsOf(block.content) : [])).join("");

/** Waits for a state by polling it each few milliseconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const limit = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > limit) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
