import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { afterResult, bySteps, lastResultOf, lastUserText, type ScriptedModel, startScriptedModel } from "../src/model/index.ts";

type Sent = { role: string; content?: string; tool_call_id?: string; tool_calls?: object[] };

describe("scripted model server", () => {
  let server: ScriptedModel;
  before(async () => {
    server = await startScriptedModel(() => ({}));
  });
  after(() => server.close());

  /** Posts a history and gives the data of the answer's events. */
  const post = async (messages: Sent[]): Promise<string[]> => {
    const response = await fetch(`${server.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer k" },
      body: JSON.stringify({ model: "m", messages, stream: true }),
    });
    return (await response.text()).split("\n\n").flatMap((event) => (event.startsWith("data: ") ? [event.slice(6)] : []));
  };
  const textOf = (events: string[]) =>
    events
      .filter((data) => data !== "[DONE]")
      .map((data) => JSON.parse(data).choices?.[0]?.delta?.content ?? "")
      .join("");
  const call = (id: string, name: string): Sent => ({
    role: "assistant",
    content: "",
    tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
  });
  const result = (id: string, content: string): Sent => ({ role: "tool", tool_call_id: id, content });
  const user = (content: string): Sent => ({ role: "user", content });

  it("answers by the step of the turn, so a repeat gets the same and a new turn starts over", async () => {
    server.use(bySteps({ text: "first" }, (request) => ({ text: `saw ${lastResultOf(request, "read")?.text}` })));
    const stepTwo = [user("go"), call("a", "read"), result("a", "42")];
    assert.equal(textOf(await post([user("go")])), "first");
    for (let n = 0; n < 2; n++) assert.equal(textOf(await post(stepTwo)), "saw 42");
    assert.equal(textOf(await post([...stepTwo, user("again")])), "first");
  });

  it("answers by the newest result and fails loudly where the script has no answer", async () => {
    server.use(afterResult({ start: (request) => ({ text: lastUserText(request) }), read: { text: "after read" } }));
    assert.equal(textOf(await post([user("hi")])), "hi");
    assert.equal(textOf(await post([user("hi"), call("a", "read"), result("a", "x")])), "after read");
    const unknown = await fetch(`${server.url}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ messages: [user("hi"), call("a", "bash"), result("a", "x")] }),
    });
    assert.equal(unknown.status, 400);
    assert.match(await unknown.text(), /no answer after .*bash/);
  });

  it("keeps a journal and announces arrivals", async () => {
    const index = server.requests.length;
    const arrival = server.arrival(index);
    server.use(() => ({ text: "x" }));
    await post([{ role: "system", content: "S" }, user("hello")]);
    const seen = await arrival;
    assert.deepEqual([seen.index, seen.system, seen.key, seen.model], [index, "S", "k", "m"]);
    assert.deepEqual(seen.messages, [{ role: "user", text: "hello" }]);
    assert.equal(await seen.ended, "server");
  });

  it("ends with the end mark, and cuts text without breaking a character", async () => {
    server.use(() => ({ text: "🙂🙂🙂", chunkSize: 1 }));
    const events = await post([user("x")]);
    assert.equal(events.at(-1), "[DONE]");
    assert.equal(textOf(events), "🙂🙂🙂");
    assert.ok(
      events.slice(0, -1).every((data) => !data.includes("\\ud")),
      "no half surrogate pairs",
    );
  });

  it("a script that throws is a 500 with its error", async () => {
    server.use(() => {
      throw new Error("my script is wrong");
    });
    const response = await fetch(`${server.url}/chat/completions`, { method: "POST", body: "{}" });
    assert.equal(response.status, 500);
    assert.match(await response.text(), /my script is wrong/);
  });
});
