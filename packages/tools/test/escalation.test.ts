import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Context, Service } from "@gantry/kernel";
import type { CapturedStream, RunOptions, SandboxMode, SandboxProc, World, WorldOwner } from "@gantry/sandbox/seams";
import { FsError, FsSeam, type SandboxFs, SubprocessSeam } from "@gantry/sandbox/seams";
import { type ApprovalAnswer, type ApprovalQuestion, type ApprovalSeam, toolBash, toolFs } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, prepare, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const asked: ApprovalQuestion[] = [];
const runs: { mode: SandboxMode; command: string }[] = [];
const writes: SandboxMode[] = [];
const state: { answer: ApprovalAnswer; ended: number } = { answer: "allowed-once", ended: 0 };

class Approvals extends Service implements ApprovalSeam {
  constructor(ctx: Context) {
    super(ctx, "approval");
  }
  async request(question: ApprovalQuestion): Promise<ApprovalAnswer> {
    asked.push(question);
    return state.answer;
  }
}
const none: CapturedStream = { text: "", truncated: false };
class Processes extends SubprocessSeam {
  for(owner: WorldOwner): SandboxProc {
    const run = async ({ argv }: RunOptions) => {
      await owner.world();
      const mode = owner.sandboxMode();
      runs.push({ mode, command: argv.at(-1) ?? "" });
      const isDenied = mode === "read-only";
      const stderr = { ...none, text: isDenied ? "touch: Read-only file system" : "" };
      return { exitCode: isDenied ? 1 : 0, signal: null, timedOut: false, aborted: false, outOfMemory: false, stdout: none, stderr };
    };
    return { run };
  }
}
/** Refuses to write under `read-only`; only what the tools under test use. */
class Files extends FsSeam {
  for(owner: WorldOwner): SandboxFs {
    const change = async () => {
      const mode = owner.sandboxMode();
      writes.push(mode);
      if (mode === "read-only") throw new FsError("FS_SANDBOX_DENIED", "the file system is read-only");
      return { operation: "create", before: null, after: "x", version: "1", replacements: 1 };
    };
    const resolve = async (path: string) => ({ targetKey: path, displayPath: path });
    return { resolve, stat: async () => null, writeText: change, editText: change } as unknown as SandboxFs;
  }
}

async function bench({ withApproval = true } = {}) {
  const root = await openRoot();
  after(() => root.close());
  const plugin = { name: "bench", apply: (ctx: Context) => void [new Files(ctx), new Processes(ctx), withApproval && new Approvals(ctx)] };
  await root.mount(plugin);
  await root.mount(toolBash);
  await root.mount(toolFs);
  return root.ctx;
}
const agentIn = (mode: SandboxMode) => ({
  ...testAgent({ mode, world: {} as World }),
  openSibling: async () => ({
    world: {} as World,
    end: async () => {
      state.ended += 1;
    },
  }),
});

const ctx = await bench();
const bare = await bench({ withApproval: false });
const wider = { sandbox_permissions: "workspace-write", justification: "it has to write" };
const bash = (more: object = wider) => ({ command: "touch x", description: "Touch a file", ...more });

function reset(answer: ApprovalAnswer = "allowed-once") {
  for (const list of [asked, runs, writes]) list.length = 0;
  Object.assign(state, { answer, ended: 0 });
}

test("ESC-1 the pair is offered where somebody can be asked, as the catalogue writes it for programs", () => {
  for (const name of ["bash", "write", "edit"]) {
    const of = (at: Context) =>
      at.tools.schemas().find((schema) => schema.name === name)?.parameters.properties as Record<string, { enum?: string[] }>;
    assert.deepEqual(of(ctx).sandbox_permissions?.enum, ["workspace-write", "danger-full-access"]);
    assert.ok(of(ctx).justification);
    assert.deepEqual([of(bare).sandbox_permissions, of(bare).justification], [undefined, undefined]);
  }
});

test("ESC-2 EX-054 an escalation that is allowed runs this call wider, in a second world that ends with it; the next is confined again", async () => {
  reset();
  const agent = agentIn("read-only");
  const outcome = await call(ctx, "bash", bash(), { agent });
  assert.equal(outcome.isError, false);
  assert.deepEqual(
    asked.map(({ reason }) => reason),
    ["escalate sandbox to workspace-write: it has to write"],
  );
  await call(ctx, "bash", bash({}), { agent });
  assert.deepEqual(
    runs.map(({ mode }) => mode),
    ["workspace-write", "read-only"],
  );
  assert.deepEqual([state.ended, asked.length], [1, 1]);
});

test("EX-052 EX-055 a mode that is not wider than the session's is an error of its own, and nobody is asked", async () => {
  reset();
  for (const [mode, target] of [
    ["workspace-write", "workspace-write"],
    ["danger-full-access", "workspace-write"],
    ["danger-full-access", "danger-full-access"],
  ] as const) {
    const outcome = await call(ctx, "bash", bash({ ...wider, sandbox_permissions: target }), { agent: agentIn(mode) });
    assert.match(textOf(outcome), new RegExp(`must be wider than the session's mode, which is ${mode}`));
  }
  assert.deepEqual([asked, runs], [[], []]);
});

test("ESC-1 each way in which the pair is wrong has its own text, and nobody is asked", async () => {
  reset();
  const texts = new Set<string>();
  for (const pair of [{ sandbox_permissions: "workspace-write" }, { justification: "because" }, { ...wider, justification: " " }]) {
    const outcome = await call(ctx, "bash", bash(pair), { agent: agentIn("read-only") });
    assert.ok(outcome.isError && outcome.error === undefined);
    texts.add(textOf(outcome));
  }
  const unknown = await call(ctx, "bash", bash({ ...wider, sandbox_permissions: "root" }), { agent: agentIn("read-only") });
  assert.equal(unknown.error?.code, "INVALID_ARGS");
  assert.equal(texts.size, 3);
  assert.deepEqual([asked, runs], [[], []]);
});

test("ESC-1 nobody is asked about a call whose pair is wrong, also where a rule would have it asked about", async () => {
  const undo = ctx.on("tools/pre-execute", async (_execution, next) => {
    const decision = await next();
    return decision.kind === "allow" ? { kind: "ask", reason: "a rule" } : decision;
  });
  const pairs: [object, SandboxMode, RegExp][] = [
    [{ sandbox_permissions: "workspace-write" }, "read-only", /needs a justification/],
    [{ justification: "because" }, "read-only", /only valid together/],
    [{ ...wider, justification: " " }, "read-only", /must not be blank/],
    [{ ...wider, sandbox_permissions: "root" }, "read-only", /no sandbox mode/],
    [wider, "workspace-write", /must be wider/],
  ];
  for (const [pair, mode, text] of pairs) {
    reset();
    const outcome = await call(ctx, "bash", bash(pair), { agent: agentIn(mode) });
    assert.match(textOf(outcome), text);
    assert.deepEqual([asked, runs], [[], []], text.source);
  }
  reset();
  assert.equal((await call(ctx, "bash", bash({}), { agent: agentIn("read-only") })).isError, false);
  assert.deepEqual([asked.length, runs.length], [1, 1], "without a pair the rule asks");
  await undo();
});

test("EX-053 rejected, cancelled, nobody there, refused by policy: four texts, and the command never runs", async () => {
  const texts = new Set<string>();
  for (const answer of ["rejected", "cancelled", "unavailable", "refused"] as const) {
    reset(answer);
    texts.add(textOf(await call(ctx, "bash", bash(), { agent: agentIn("read-only") })));
    assert.deepEqual(runs, []);
  }
  assert.equal(texts.size, 4);
});

test("ESC-2 while a person is asked the call is parked and nothing runs", async () => {
  reset("parked");
  const prepared = await prepare(ctx, "bash", bash(), { agent: agentIn("read-only") });
  assert.deepEqual([prepared.isParked, prepared.admitted], [true, false]);
  const ran = await prepared.run();
  assert.ok(ran.isParked);
  await assert.rejects(ran.commit(), /has no result yet/);
  assert.deepEqual(runs, []);
});

test("TLS-8 a listener that lets everything pass does not get a call into a wider sandbox", async () => {
  reset();
  const undo = ctx.on("tools/pre-execute", async () => ({ kind: "allow" }), { prepend: true } as never);
  const outcome = await call(ctx, "bash", bash(), { agent: agentIn("read-only") });
  await undo();
  assert.match(textOf(outcome), /need an approval of this very call/);
  assert.deepEqual([asked, runs], [[], []]);
});

test("EX-050 a denial is followed by the hint only where it can be followed", async () => {
  reset();
  const denied = textOf(await call(ctx, "bash", bash({}), { agent: agentIn("read-only") }));
  assert.match(denied, /\[sandbox: file access denied under read-only mode\]\n\[sandbox: escalation available[^\n]*\]\n\[exit code: 1\]$/);
  const plain = textOf(await call(bare, "bash", bash({}), { agent: agentIn("read-only") }));
  assert.match(plain, /denied under read-only mode\]\n\[exit code: 1\]$/);
});

test("EX-168 a denied write says so and how to ask; approved it writes once; rejected it writes nothing", async () => {
  reset();
  const agent = agentIn("read-only");
  const file = { file_path: "/workspace/a", content: "x" };
  const denied = await call(ctx, "write", file, { agent });
  assert.equal(denied.error?.code, "FS_SANDBOX_DENIED");
  assert.match(textOf(denied), /denied under read-only mode\]\n\[sandbox: escalation available/);
  reset();
  assert.equal((await call(ctx, "write", { ...file, ...wider }, { agent })).isError, false);
  assert.deepEqual([writes, state.ended], [["workspace-write"], 1]);
  const change = { file_path: "/workspace/a", old_string: "x", new_string: "y" };
  reset();
  assert.equal((await call(ctx, "edit", { ...change, ...wider }, { agent })).isError, false);
  assert.deepEqual(writes, ["workspace-write"]);
  reset("rejected");
  assert.ok((await call(ctx, "write", { ...file, ...wider }, { agent })).isError);
  assert.ok((await call(ctx, "edit", { ...change, ...wider }, { agent })).isError);
  assert.deepEqual(writes, []);
});

test("EX-169 where it is not offered a pair that is sent anyway is refused", async () => {
  reset();
  const outcome = await call(bare, "bash", bash(), { agent: agentIn("read-only") });
  assert.match(textOf(outcome), /sandbox_permissions is not available in this composition/);
  assert.deepEqual([asked, runs], [[], []]);
});

test("the second world ends also when the work in it fails", async () => {
  reset();
  const outcome = await call(
    ctx,
    "write",
    { file_path: "/workspace/a", content: "x", ...wider, sandbox_permissions: "danger-full-access" },
    {
      agent: { ...agentIn("read-only"), openSibling: async () => Promise.reject(new Error("no engine")) },
    },
  );
  assert.match(textOf(outcome), /no engine/);
  assert.deepEqual(writes, []);
});
