import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, isKernelError, type KernelErrorCode } from "@gantry/kernel";
import { startStory } from "./support/story.ts";
import { openWorld } from "./support/world.ts";

test("(e) the loop is a plugin in a slot that holds one", async (t) => {
  const story = startStory("e");
  const { ctx, mount, close } = await openWorld(["agents"], ["agents"]);
  t.after(close);
  const built: string[] = [];
  const loop = (name: string) => ({
    name,
    inject: ["agents"],
    apply(own: Context) {
      const build = async ({ sessionId }: { sessionId: string }) => {
        built.push(`${name} ${sessionId}`);
        story.line("factory", `${name} builds the agent of ${sessionId}`);
        return { sessionId };
      };
      own.agents.setFactory({ create: build, resume: build });
    },
  });
  const tell = async (label: string, code: KernelErrorCode | null, work: Promise<string>) => {
    const said = await work.catch((error: unknown) => {
      assert.ok(isKernelError(error, code ?? undefined) && code !== null);
      return `${error.code}: ${error.message}`;
    });
    story.line(label, said);
  };
  const create = (sessionId: string, code: KernelErrorCode | null) =>
    tell(
      "create",
      code,
      ctx.agents.create({ sessionId }).then((agent) => `live: ${agent.sessionId}`),
    );

  story.chapter("1. no loop");
  await create("session-1", "NO_AGENT_FACTORY");
  story.chapter("2. pocket-loop is mounted");
  const first = await mount(loop("pocket-loop"));
  await create("session-1", null);
  story.chapter("3. a second loop");
  await tell(
    "rival-loop",
    "AGENT_FACTORY_TAKEN",
    mount(loop("rival-loop")).then(() => "mounted"),
  );
  await create("session-2", null);
  story.line(
    "agents",
    ctx.agents.list().map(({ sessionId }) => sessionId),
  );
  story.chapter("4. pocket-loop is unmounted");
  await first.dispose();
  story.line(
    "agents",
    ctx.agents.list().map(({ sessionId }) => sessionId),
  );
  await create("session-3", "NO_AGENT_FACTORY");
  assert.deepEqual(built, ["pocket-loop session-1", "pocket-loop session-2"]);
  story.end();
});
