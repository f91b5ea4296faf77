import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createScope } from "@gantry/kernel";
import { testAgent } from "./support/agent.ts";
import { call, echoTool } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const names = (scope?: object) => [...ctx.tools.view(scope).keys()].sort();

test("T-6 KN-041 an ancestor's restriction also filters what appears later, for every descendant and whoever registers it", async () => {
  const undo = ctx.tools.register(echoTool("first"));
  const preset = createScope(ctx, {});
  const child = createScope(ctx, {}, { parent: preset.key });
  const grandchild = createScope(ctx, {}, { parent: child.key });
  preset.ctx.tools.restrict({ allow: ["first"] });
  const undoLate = ctx.tools.register(echoTool("later"));
  child.ctx.tools.register(echoTool("of_child"));
  assert.deepEqual([names(preset.key), names(child.key), names(grandchild.key)], [["first"], ["first", "of_child"], ["first"]]);
  grandchild.ctx.tools.register(echoTool("later", () => "its own"));
  assert.deepEqual(names(grandchild.key), ["first", "later"], "its own tool of a hidden name is its own");
  const outcome = await call(ctx, "later", {}, { agent: testAgent({ scope: child.key }) });
  assert.equal(outcome.error?.code, "UNKNOWN_TOOL", "what is hidden cannot be called either");
  await Promise.all([grandchild.dispose(), child.dispose(), preset.dispose(), undo(), undoLate()]);
});

test("T-5 several restrictions intersect, and each is lifted on its own, once", async () => {
  const undo = ["a", "b", "c"].map((name) => ctx.tools.register(echoTool(name)));
  const scope = createScope(ctx, {});
  const liftAllow = scope.ctx.tools.restrict({ allow: ["a", "b"] });
  const liftDeny = scope.ctx.tools.restrict({ deny: ["b"] });
  const liftAgain = scope.ctx.tools.restrict({ deny: ["b"] });
  assert.deepEqual(names(scope.key), ["a"]);
  await liftDeny();
  await liftDeny();
  assert.deepEqual(names(scope.key), ["a"], "the equal restriction still stands");
  await liftAgain();
  assert.deepEqual(names(scope.key), ["a", "b"]);
  await liftAllow();
  assert.deepEqual(names(scope.key), ["a", "b", "c"]);
  const both = scope.ctx.tools.restrict({ allow: ["a", "b"], deny: ["a"] });
  assert.deepEqual(names(scope.key), ["b"], "with both lists a tool is allowed and not denied");
  await both();
  scope.ctx.tools.restrict({ allow: [] });
  assert.deepEqual(names(scope.key), [], "an empty allow list leaves nothing");
  await Promise.all([scope.dispose(), ...undo.map((dispose) => dispose())]);
});

test("T-5 a name that an ancestor hides is still known below it, and one that left is not", async () => {
  const undo = ctx.tools.register(echoTool("hidden"));
  const preset = createScope(ctx, {});
  const child = createScope(ctx, {}, { parent: preset.key });
  preset.ctx.tools.restrict({ deny: ["hidden"] });
  const lift = child.ctx.tools.restrict({ deny: ["hidden"] });
  await lift();
  await undo();
  assert.throws(() => child.ctx.tools.restrict({ deny: ["hidden"] }), /Known tools: none\./);
  await Promise.all([child.dispose(), preset.dispose()]);
});

test("T-8 the registry tells of each visible change, to listeners of every scope", async () => {
  const scope = createScope(ctx, {});
  let changes = 0;
  scope.ctx.on("tools/change", () => void changes++);
  const counted = async (work: () => unknown) => {
    const before = changes;
    await work();
    return changes - before;
  };
  let undo: () => unknown = () => {};
  assert.equal(await counted(() => (undo = ctx.tools.register(echoTool("tool")))), 1);
  let lift: () => unknown = () => {};
  assert.equal(await counted(() => (lift = scope.ctx.tools.restrict({ deny: ["tool"] }))), 1);
  assert.equal(await counted(() => lift()), 1);
  assert.equal(await counted(() => undo()), 1);
  assert.equal(await counted(() => undo()), 0, "a second undo changes nothing");
  assert.equal(await counted(() => ctx.tools.schemas(scope.key)), 0);
  await scope.dispose();
});
