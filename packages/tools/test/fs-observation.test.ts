import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SessionEvent } from "@gantry/contracts";
import { scopeTarget } from "@gantry/kernel";
import { fsObservationPolicy, type Observation, type ToolAgent } from "../src/index.ts";
import "../src/fs/events.ts";
import { testAgent } from "./support/agent.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const handle = await root.mount(fsObservationPolicy);
const target = (path: string) => ({ targetKey: path, displayPath: path });

const saw = (agent: ToolAgent, path: string, observation: Observation) =>
  ctx.parallel(scopeTarget(agent.scope), "fs/observed", agent, target(path), observation);
const present = (version: string): Observation => ({ state: "present", version });
const write = (agent: ToolAgent, path: string) => ctx.serial(scopeTarget(agent.scope), "fs/write-intent", agent, target(path));
const edit = async (agent: ToolAgent, path: string) => ctx.serial(scopeTarget(agent.scope), "fs/edit-intent", agent, target(path));
const replaces = (version: string) => ({ kind: "replaceIfVersion", version });

test("D.4 what two sessions have seen of one file is kept apart, each with its own version", async () => {
  const [a, b] = [testAgent(), testAgent({ sessionId: "other" })];
  await saw(a, "/f", present("v1"));
  await saw(b, "/f", present("v2"));
  assert.deepEqual([await write(a, "/f"), await write(b, "/f")], [replaces("v1"), replaces("v2")]);
  assert.deepEqual(await write(a, "/other"), { kind: "createIfAbsent" });
  await assert.rejects(edit(b, "/other"), { code: "FS_NOT_OBSERVED" });
});

test("D.4 present, absent and present again are followed; what was known already is not logged again", async () => {
  const agent = testAgent();
  for (const observation of [present("v1"), present("v1"), { state: "absent" } as const]) await saw(agent, "/f", observation);
  assert.deepEqual(await write(agent, "/f"), { kind: "createIfAbsent" });
  await assert.rejects(edit(agent, "/f"), { code: "FS_NOT_FOUND" });
  await saw(agent, "/f", present("v2"));
  assert.deepEqual(await edit(agent, "/f"), replaces("v2"));
  assert.deepEqual(
    agent.log.map(({ data }) => data),
    [
      { target: "/f", state: "present", version: "v1" },
      { target: "/f", state: "absent" },
      { target: "/f", state: "present", version: "v2" },
    ],
  );
});

test("EX-312 a fork has seen nothing of what its source had seen, and keeps what it sees itself", async () => {
  const source = testAgent();
  await saw(source, "/f", present("v1"));
  const log: SessionEvent[] = [...source.log, { type: "session/end-seed", data: {}, seq: 1, time: 0 }];
  const resumed = testAgent({ log: [...log] });
  assert.deepEqual(await write(resumed, "/f"), replaces("v1"), "the next holder of the same session knows it (POL-4)");
  const fork = { ...testAgent({ log }), seedLength: 1 };
  assert.deepEqual(await write(fork, "/f"), { kind: "createIfAbsent" });
  await assert.rejects(edit(fork, "/f"), { code: "FS_NOT_OBSERVED" });
  await saw(fork, "/f", present("v3"));
  const later = { ...testAgent({ log }), seedLength: 1 };
  assert.deepEqual(await edit(later, "/f"), replaces("v3"), "the fork's next holder knows what the fork saw");
});

test("D.4 the first that decides is the last that is asked; without the policy nobody decides", async () => {
  const agent = testAgent();
  await saw(agent, "/f", present("v1"));
  let asked = 0;
  const undo = ctx.on("fs/write-intent", () => {
    asked++;
    return undefined;
  });
  assert.deepEqual([await write(agent, "/f"), asked], [replaces("v1"), 0]);
  await handle.dispose();
  assert.deepEqual([await write(agent, "/f"), await edit(agent, "/f"), asked], [undefined, undefined, 1]);
  await undo();
});
