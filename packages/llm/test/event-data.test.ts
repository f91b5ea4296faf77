import assert from "node:assert/strict";
import { StringDecoder } from "node:string_decoder";
import { describe, it } from "node:test";
import { assemble } from "../src/assemble.ts";
import { ChatDecoder } from "../src/chat/decode.ts";
import { EventData } from "../src/chat/event-data.ts";
import type { StreamChunk } from "../src/chunks.ts";
import { failure } from "../src/failure.ts";

const args = JSON.stringify({ path: 'a "quoted" \\ back\u2028slash é 🙂', half: "\ud83d", n: 1e-7 });
const delta = (value: object, finish_reason: string | null = null) => JSON.stringify({ choices: [{ delta: value, finish_reason }] });
const call = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] });
const datas = [
  delta({ reasoning_content: "thé 🙂" }),
  delta({ content: "Grüße 🚀" }),
  // one character in two halves
  delta({ content: "X" }).replace("X", "\\ud83d"),
  delta({ content: "X" }).replace("X", "\\ude00"),
  call({ id: "c", function: { name: "read", arguments: args.slice(0, 9) } }),
  ...(args.slice(9).match(/.{1,8}/gsu) ?? []).map((piece) => call({ function: { arguments: piece } })),
  delta({}, "tool_calls"),
  JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
  "[DONE]",
];
const wire = (end: string) => datas.map((data) => `: alive${end}${end}event: x${end}data: ${data}${end}${end}`).join("");

/** What the decoder makes of bytes that come in these parts. */
function read(parts: readonly Buffer[]) {
  const events = new EventData();
  const text = new StringDecoder("utf8");
  const decoder = new ChatDecoder(() => failure("UNKNOWN", "an error in the stream"));
  const chunks: StreamChunk[] = [];
  let isComplete = false;
  for (const part of parts)
    for (const data of events.push(text.write(part))) {
      if (data === "[DONE]") isComplete = true;
      else chunks.push(...decoder.take(data));
    }
  chunks.push(...decoder.end());
  return { isComplete, ...assemble(chunks) };
}

const whole = {
  isComplete: true,
  content: [
    { type: "reasoning", text: "thé 🙂" },
    { type: "text", text: "Grüße 🚀😀" },
    { type: "tool-call", id: "c", name: "read", arguments: args },
  ],
  usage: { inputTokens: 3, outputTokens: 2 },
};

describe("events of a chat-completions stream", () => {
  it("DSK-5 come out the same wherever the bytes are cut, inside characters, escapes and line ends too", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const bytes = Buffer.from(wire(end));
      for (let at = 0; at <= bytes.length; at += 1) assert.deepEqual(read([bytes.subarray(0, at), bytes.subarray(at)]), whole);
      assert.deepEqual(read(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))), whole);
    }
  });

  it("a mark of the byte order in front is no part of the first event", () => {
    assert.deepEqual([...new EventData().push("\ufeffdata: a\n\n")], ["a"]);
  });

  it("an event without its blank line is not whole, and several data lines are one text", () => {
    const events = new EventData();
    assert.deepEqual([...events.push("data: a\ndata:b\n\ndata: [DONE]\n")], ["a\nb"]);
    assert.deepEqual([...events.push("\n")], ["[DONE]"]);
  });
});
