import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createScope } from "@gantry/kernel";
import type { ToolExecution } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, echoTool, prepare, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const lines: string[] = [];
const write = (fields: object, message?: string) =>
  void lines.push(JSON.stringify({ ...fields, error: String(Object(fields).err) }) + message);
const root = await openRoot({ logger: { debug: write, info: write, warn: write, error: write } });
const other = await openRoot();
after(async () => {
  await root.close();
  await other.close();
});
const { ctx } = root;

test("T-25 an execution carries the org, session and user of its agent, and says so to body, guard and listener alike", async () => {
  const seen: (readonly [string | undefined, string | undefined, string | undefined])[] = [];
  const note = ({ orgId, sessionId, userId }: ToolExecution) => void seen.push([orgId, sessionId, userId]);
  const scope = createScope(ctx, {});
  scope.ctx.tools.register(
    echoTool("who", (_args, run) => {
      note(run.execution);
      return "";
    }),
  );
  scope.ctx.tools.guard((execution) => {
    note(execution);
    return undefined;
  });
  scope.ctx.on("tools/result", note);
  const agent = testAgent({ scope: scope.key });
  await call(ctx, "who", {}, { agent });
  assert.deepEqual(seen, Array(3).fill([agent.orgId, agent.sessionId, agent.userId]));
  await scope.dispose();
});

test("T-25 a call of another root's agent is refused before policy; neither listener, guard, body nor observer sees it", async () => {
  const stranger = createScope(other.ctx, {});
  const below = createScope(other.ctx, {}, { parent: stranger.key });
  const touched: string[] = [];
  const undo = [
    ctx.tools.register({
      ...echoTool("bash", () => {
        touched.push("body");
        return "";
      }),
      finalizeContent: (content) => {
        touched.push("finalize");
        return content;
      },
    }),
    ctx.tools.guard(() => void touched.push("guard") as undefined),
    ctx.on("tools/pre-execute", (_execution, next) => {
      touched.push("listener");
      return next();
    }),
    ctx.on("tools/result", () => void touched.push("observer")),
  ];
  const canary = "0190a0a0-cccc-7000-8000-00000000cafe";
  for (const scope of [stranger.key, below.key, undefined]) {
    lines.length = 0;
    const agent = testAgent({ scope: scope ?? createScope(ctx, {}, { parent: stranger.key }).key, sessionId: canary });
    const prepared = await prepare(ctx, "bash", { text: canary }, { agent });
    assert.equal(prepared.admitted, false);
    const ran = await prepared.run();
    const outcome = await ran.commit();
    assert.equal(outcome.error?.code, "TENANT_MISMATCH");
    await assert.rejects(ran.commit(), /called once/);
    assert.deepEqual([touched, lines.length], [[], 1]);
    assert.ok(!`${lines}${textOf(outcome)}`.includes(canary) && lines[0]?.includes("TENANT_MISMATCH"));
  }
  await call(ctx, "bash", {}, { agent: testAgent({ scope: createScope(ctx, {}).key }) });
  assert.deepEqual(touched, ["listener", "guard", "body", "finalize", "observer"], "an agent of this root is served");
  await Promise.all([...undo.map((dispose) => dispose()), stranger.dispose()]);
});

test("T-25 where the root knows its org, an agent of another org is refused whatever its scope", async () => {
  const agent = testAgent();
  const undoTool = ctx.tools.register(echoTool("echo"));
  for (const [orgId, code] of [
    [agent.orgId, undefined],
    ["0190a0a0-0000-7000-8000-00000000000f", "TENANT_MISMATCH"],
  ] as const) {
    const host = await root.mount({ name: "tenant", apply: (own) => void own.provide("tenant", { orgId }) });
    assert.equal((await call(ctx, "echo", {}, { agent })).error?.code, code);
    assert.equal((await call(ctx, "echo", {})).error, undefined, "a call without an agent is the platform's own");
    await host.dispose();
  }
  await undoTool();
});
