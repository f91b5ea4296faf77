import assert from "node:assert/strict";
import { after, test } from "node:test";
import { toLosslessJson } from "@gantry/contracts";
import { ToolError, type ToolOutcome } from "../src/index.ts";
import { call, echoTool } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;

const refuse = (): never => {
  throw new Error("this refuses to be looked at");
};
const hidden = (error: Error, member: string): Error => Object.defineProperty(error, member, { get: refuse });

/** What code may throw besides an ordinary error. */
const oddities: Record<string, () => unknown> = {
  undefined: () => undefined,
  null: () => null,
  "a symbol": () => Symbol("x"),
  "an object without a prototype": () => Object.create(null),
  "a frozen error": () => Object.freeze(new Error("cold")),
  "an error that hides its message": () => hidden(new Error("x"), "message"),
  "an error that hides its name": () => hidden(new ToolError("X", "x"), "name"),
  "an error that hides its code": () => hidden(new ToolError("X", "x"), "code"),
  "a code that is no text": () => Object.assign(new ToolError("X", "x"), { code: 5 }),
  "a proxy that refuses everything": () => new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse }),
};

const stages = ["pre-execute", "guard", "execute", "body", "render", "meta", "post-execute", "finalize", "result", "classifier"] as const;

/** One call whose `stage` throws. */
async function callThatThrows(stage: (typeof stages)[number], make: () => unknown): Promise<ToolOutcome> {
  const name = `odd-${stage}`;
  const fail = (at: (typeof stages)[number]): void => {
    if (at === stage) throw make();
  };
  const unlessFailed = <T>(at: (typeof stages)[number], act: () => T): T => {
    fail(at);
    return act();
  };
  const echo = echoTool(name, () => {
    fail("body");
    return "done";
  });
  const undo = [
    ctx.tools.register({
      ...echo,
      output: {
        ...echo.output,
        render: (value) => unlessFailed("render", () => [{ type: "text", text: String(value) }]),
        presentationMeta: () => unlessFailed("meta", () => ({ seen: true })),
      },
      finalizeContent: (content) => unlessFailed("finalize", () => content),
      isConcurrencySafe: () => unlessFailed("classifier", () => true),
    }),
    ctx.tools.guard(() => void fail("guard")),
    ctx.on("tools/pre-execute", async (_execution, next) => unlessFailed("pre-execute", next)),
    ctx.on("tools/execute", async (_execution, _dispatch, next) => unlessFailed("execute", next)),
    ctx.on("tools/post-execute", async (_execution, _settled, next) => unlessFailed("post-execute", next)),
    ctx.on("tools/result", () => fail("result")),
  ];
  try {
    const mode = ctx.tools.executionMode({ callId: "x", name, arguments: "{}" });
    assert.equal(mode, stage === "classifier" ? "exclusive" : "parallel");
    return await call(ctx, name, {});
  } finally {
    for (const end of undo.reverse()) await end();
  }
}

for (const stage of stages) {
  test(`T-17 whatever a ${stage} throws, the call gets a result that the log can take`, async () => {
    for (const [what, make] of Object.entries(oddities)) {
      const { content, isError, error, meta, additionalContexts } = await callThatThrows(stage, make);
      assert.equal(isError, stage !== "result" && stage !== "classifier", what);
      assert.doesNotThrow(() => toLosslessJson({ content, error: error ?? null, meta: meta ?? null, additionalContexts }), what);
      if (error) assert.deepEqual([typeof error.name, typeof error.code], ["string", "string"], what);
      for (const block of content) assert.ok(block.type === "text" && block.text !== "", what);
    }
  });
}
