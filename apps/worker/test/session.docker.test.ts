import assert from "node:assert/strict";
import { test } from "node:test";
import { bySteps, toolResults } from "@gantry/testing";
import { startStack, turnEnds, until } from "./support/stack.ts";

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] });

const stack = await startStack(
  bySteps(
    call("write", { file_path: "hello.txt", content: "one\ntwo\n" }),
    call("read", { file_path: "hello.txt" }),
    call("bash", { command: "sort -r hello.txt; id -u; env", description: "Sort the file" }),
    { text: "done" },
  ),
);

test("a session runs from the queue to the container and back into the log", async () => {
  await stack.startWorker();
  const session = await stack.session();
  await session.send("go");
  await until(async () => turnEnds(await session.events()).length === 1, "the end of the turn");
  assert.deepEqual(turnEnds(await session.events()), ["completed"]);
  const results = toolResults(stack.model.requests.at(-1) as never);
  assert.match(results[0]?.text ?? "", /Created file/);
  assert.match(results[1]?.text ?? "", /2: two/);
  assert.match(results[2]?.text ?? "", /^two\none\n1\d{4}\n/);
  assert.doesNotMatch(results[2]?.text ?? "", /GANTRY_|DATABASE_URL|REDIS/);
});
