import assert from "node:assert/strict";
import { test } from "node:test";
import { type Message, toLosslessJson } from "@gantry/contracts";
import { startScriptedModel } from "@gantry/testing";
import { openAiCompatibleAdapter } from "../src/providers/openai-compatible.ts";
import { collect, requestOf, user } from "./provider-suite.ts";

const frozen = (message: Message): Message => toLosslessJson(message) as unknown as Message;

/** A call with its result, as a log keeps them. */
function step(number: number): Message[] {
  const call = { type: "tool-call", id: `c${number}`, name: "read", arguments: `{"file_path":"f${number}"}` } as const;
  const content: [{ type: "text"; text: string }] = [{ type: "text", text: `line ${number}` }];
  const result = { type: "tool-result" as const, toolCallId: call.id, content, isError: false };
  return [
    frozen({ id: `a${number}`, role: "assistant", content: [call], source: { kind: "model", provider: "p", model: "scripted" } }),
    frozen({ id: `r${number}`, role: "user", content: [result], source: { kind: "tool", callId: call.id } }),
  ];
}

test("EX-180 each message of a conversation becomes wire text once, however many requests carry it, and the bytes before the new ones stay", async (t) => {
  const server = await startScriptedModel(() => ({ text: "ok" }));
  t.after(() => server.close());
  const config = { providerId: "1", slug: "p", baseUrl: server.url, models: ["scripted"], allowInsecure: true, idleTimeoutMs: 10_000 };
  const adapter = openAiCompatibleAdapter(config, { resolve: async () => null });
  const messages = [frozen(user("go"))];
  const stringify = t.mock.method(JSON, "stringify");
  const writtenMessages = () =>
    stringify.mock.calls.filter(
      ({ arguments: [value] }) => typeof value === "object" && value !== null && "role" in value && !("id" in value),
    ).length;
  const sent: object[][] = [];
  for (let number = 1; number <= 20; number += 1) {
    messages.push(...step(number));
    const before = writtenMessages();
    await collect(adapter, requestOf({ messages }));
    assert.equal(writtenMessages() - before, number === 1 ? 3 : 2);
    sent.push(server.requests.at(-1)?.body.messages as object[]);
  }
  for (const [at, list] of sent.entries()) assert.deepEqual(list, sent.at(-1)?.slice(0, 3 + 2 * at));
});
