import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type EventDraft, foldUnits, type SessionEvent, sessionUnits, type Todo } from "@gantry/contracts";
import { toolTodo } from "../src/index.ts";
import { testAgent } from "./support/agent.ts";
import { call, textOf } from "./support/calls.ts";
import { openRoot } from "./support/root.ts";

const root = await openRoot();
after(() => root.close());
const { ctx } = root;
const handle = await root.mount(toolTodo, { allowParallelInProgress: true });
const todo = (content: string, status: Todo["status"] = "pending") => ({ content, status });
const write = (todos: unknown, agent = testAgent()) => call(ctx, "todo_write", { todos }, { agent });

test("EX-216 EX-218 one event with the trimmed list, and the three counts", async () => {
  const agent = testAgent();
  const todos = [todo(" a "), todo("b", "in_progress"), todo("c", "in_progress"), todo("d\n", "completed")];
  const outcome = await write(todos, agent);
  assert.equal(textOf(outcome), "Todo list updated: 1 pending, 2 in progress, 1 completed");
  assert.deepEqual(
    agent.log.map(({ type, data }) => ({ type, data })),
    [{ type: "todo/write", data: { todos: [todo("a"), todo("b", "in_progress"), todo("c", "in_progress"), todo("d", "completed")] } }],
  );
});

test("EX-217 EX-221 a second call replaces the list, an empty one clears it", async () => {
  const agent = testAgent();
  for (const todos of [[todo("a"), todo("b")], [todo("c")], []]) await write(todos, agent);
  const lists = agent.log.map((event) => (event.type === "todo/write" ? event.data.todos.length : -1));
  assert.deepEqual(lists, [2, 1, 0]);
});

test("EX-219 an empty content, or one that is twice there after trimming, is refused without an event", async () => {
  const agent = testAgent();
  assert.match(textOf(await write([todo("a"), todo(" a")], agent)), /"a" is in the list twice/);
  assert.match(textOf(await write([todo("  ")], agent)), /needs content/);
  const closed = await write([{ ...todo("a"), priority: 1 }], agent);
  assert.equal(closed.error?.code, "INVALID_ARGS");
  assert.deepEqual(agent.log, []);
});

test("EX-223 a call without an agent is refused", async () => {
  assert.match(textOf(await call(ctx, "todo_write", { todos: [] })), /needs a session/);
});

test("EX-222 two in_progress are refused where the deployment says so, with the count; the description follows", async () => {
  await handle.dispose();
  const strict = await root.mount(toolTodo, { allowParallelInProgress: false });
  const pair = [todo("a", "in_progress"), todo("b", "in_progress")];
  assert.match(textOf(await write(pair)), /2 todos are in_progress/);
  assert.equal((await write([todo("a", "in_progress")])).isError, false);
  assert.match(ctx.tools.schemas()[0]?.description ?? "", /At most one/);
  await strict.dispose();
  await assert.rejects(root.mount(toolTodo, {}), /allowParallelInProgress/);
});

test("EX-224 EX-226 the reading of what the tool logged: null, the list, kept over turn/end, null at the next turn; a replay gives the same", async () => {
  const again = await root.mount(toolTodo, { allowParallelInProgress: true });
  const agent = testAgent();
  const turn = (type: "turn/start" | "turn/end", number: number) => agent.append({ type, data: { turn: number } } as EventDraft);
  const { todos } = sessionUnits;
  const read = () => foldUnits({ todos }, agent.log).values.todos;
  const list = [todo("a", "completed")];
  assert.equal(read(), null);
  turn("turn/start", 1);
  await write(list, agent);
  assert.deepEqual(read(), list);
  turn("turn/end", 1);
  assert.deepEqual(read(), list);
  turn("turn/start", 2);
  assert.equal(read(), null);
  assert.deepEqual(foldUnits({ todos }, JSON.parse(JSON.stringify(agent.log.slice(0, 2))) as SessionEvent[]).values.todos, list);
  await again.dispose();
});
