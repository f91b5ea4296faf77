import assert from "node:assert/strict";
import { test } from "node:test";
import { type Message, toLosslessJson } from "@gantry/contracts";
import { uniqueCallIds } from "../src/call-ids.ts";
import { chatMessages } from "../src/chat/messages.ts";
import { projectImages } from "../src/project-images.ts";
import type { LlmRequest } from "../src/request.ts";
import { requestOf } from "./provider-suite.ts";

const plays = 300;
const requestsEach = 12;

test("EX-180 what a turn's request becomes does not depend on the requests before it: history that grows, gives way to a summary, is changed by its owner or has images", async () => {
  for (let seed = 1; seed <= plays; seed += 1) {
    const pick = choices(seed);
    const { signal } = new AbortController();
    let messages: Message[] = [];
    const seen: { bytes: Buffer; text: string }[] = [];
    for (let number = 0; number < requestsEach; number += 1) {
      messages = nextHistory(messages, pick, `${seed}-${number}`);
      for (const one of messages) if (!Object.isFrozen(one)) one.content = [...call(`call-${seed}-${number}-changed`).content];
      const fields = { messages: [...messages], system: pick(5) === 0 ? "Other." : "Be brief.", provider: pick(9) === 0 ? "other" : "p" };
      const request = requestOf({ ...fields, signal, images: async (blocks) => blocks.map(() => data) });
      const alone = { ...request, signal: new AbortController().signal };
      const bytes = chatMessages(await projectImages(request, true));
      const text = bytes.toString();
      assert.equal(text, chatMessages(await projectImages(alone, true)).toString(), `seed ${seed}, request ${number + 1}`);
      assert.equal((JSON.parse(`[${text}]`) as object[]).length > 0, true);
      const id = `call-${seed}-${pick(number + 1)}`;
      assert.equal(uniqueCallIds(request)(0, id), uniqueCallIds(alone)(0, id));
      seen.push({ bytes, text });
    }
    // a request may still be on its way when the next one is made
    for (const { bytes, text } of seen) assert.equal(bytes.toString(), text);
  }
});

/** What a session's history may look like at its next request. */
function nextHistory(messages: readonly Message[], pick: (below: number) => number, mark: string): Message[] {
  const [id = "", at = ""] = mark.split("-");
  const grown = [...messages, message(`Do ${mark} äöü 🌱.`.repeat(1 + pick(400)))];
  if (pick(3) > 0) grown.push(call(`call-${id}-${at}`));
  switch (pick(8)) {
    case 0:
      return grown.slice(1 + pick(grown.length)).concat(message(`Summary ${mark}.`));
    case 1:
      return [...grown, { ...call(`call-${mark}`) }]; // not frozen
    case 2:
      return [...grown, withImage(mark)];
    default:
      return grown;
  }
}

const frozen = (message: Message): Message => toLosslessJson(message) as unknown as Message;
const message = (text: string): Message => frozen({ id: text, role: "user", content: [{ type: "text", text }], source: { kind: "user" } });
const call = (id: string): Message =>
  frozen({
    id: `m-${id}`,
    role: "assistant",
    content: [{ type: "tool-call", id, name: "read", arguments: "{}" }],
    source: { kind: "model", provider: "p", model: "scripted" },
  });
const withImage = (id: string): Message => {
  const image = { type: "image", attachmentId: id as never, mediaType: "image/png", width: 3, height: 2 } as const;
  const content = [{ type: "tool-result" as const, toolCallId: id, content: [image], isError: false }];
  return frozen({ id: `r-${id}`, role: "user", content, source: { kind: "tool", callId: id } });
};
const data = { kind: "data", mediaType: "image/png", bytes: Buffer.from("png"), width: 3, height: 2 } as const satisfies Awaited<
  ReturnType<NonNullable<LlmRequest["images"]>>
>[number];

/** A number below the given one, each time; the same for the same seed. */
function choices(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
