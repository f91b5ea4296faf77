import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { spillPolicy, spillStore } from "../src/index.ts";
import { call, echoTool, textOf } from "./support/calls.ts";
import { skip, useTools } from "./support/world.ts";

describe("spilled results in a world", { skip }, () => {
  const tools = useTools();

  test("EX-061 the place of a stored result is read by read and searched by grep, outside the workspace", async () => {
    await tools.root.mount(spillStore, {});
    await tools.root.mount(spillPolicy, { maxInlineTokens: 200 });
    const lines = Array.from({ length: 400 }, (_none, at) => `line ${at + 1}`).join("\n");
    tools.root.ctx.tools.register(echoTool("long"));
    const short = textOf(await call(tools.root.ctx, "long", { text: lines }, { agent: tools.agent }));
    const path = /stored at: (\S+)\. /.exec(short)?.[1] ?? assert.fail(short);
    assert.ok(!path.startsWith("/workspace"), path);
    assert.match(await tools.text("read", { file_path: path, offset: 200, limit: 1 }), /200\W+line 200/);
    assert.match(await tools.text("grep", { pattern: "^line 333$", path }), /Line 333: line 333/);
    assert.equal(await tools.shell("git status --porcelain 2>/dev/null || ls -A"), "");
  });

  test("EX-303 a name that climbs becomes one segment, and two saves never meet", async () => {
    const spill = tools.root.ctx.get("spill") ?? assert.fail("no spill");
    const save = () =>
      spill.saveText({
        owner: tools.agent,
        source: { toolName: "t", callId: "c", label: "t" },
        suggestedName: "../../etc/pass wd",
        content: "x",
      });
    const [one, two] = await Promise.all([save(), save()]);
    assert.notEqual(one.locator, two.locator);
    assert.match(one.locator, /^\/tmp\/gantry-spill\/session-[0-9a-f]{12}\/[0-9a-f]{12}-[^/]+$/);
    assert.equal(await tools.shell(`cat ${one.locator} ${two.locator}`), "xx");
  });
});
