import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttachmentId, Message } from "@gantry/contracts";
import { attachedTo, namesOf } from "../src/features/session/model/attached.ts";
import { textOf } from "../src/features/session/model/inbox.ts";

const id = "0a1b2c3d-0000-8000-8000-000000000001" as AttachmentId;
const message = (content: Message["content"]): Message => ({ id: "m", role: "user", content, source: { kind: "user" } });

test("a prompt shows what was written and what came with it, not the text that the model gets of a file", () => {
  const image = { type: "image", attachmentId: id, mediaType: "image/png", width: 2, height: 2, name: "a.png" } as const;
  const file = { type: "text", text: "Attached file: secret words", file: { attachmentId: id, name: "n.md" } } as const;
  const shown = message([{ type: "text", text: "look" }, image, file]);
  assert.equal(textOf(shown), "look");
  const { attachments } = attachedTo(shown);
  assert.deepEqual(attachments, [
    { kind: "image", attachmentId: id, name: "a.png" },
    { kind: "file", attachmentId: id, name: "n.md" },
  ]);
  assert.equal(namesOf(attachments), "a.png, n.md");
  assert.deepEqual(attachedTo(message([{ type: "text", text: "look" }])), {});
});

test("a file whose end the model did not get says how much it got; a name that reads like it does not", () => {
  const cutOf = (name: string, text: string) =>
    attachedTo(message([{ type: "text", text, file: { attachmentId: id, name } }])).attachments?.[0]?.cut;
  const words = " (cut off: the first 2 of 9 characters)";
  assert.deepEqual(cutOf("n.md", `Attached file "n.md"${words}:\n\`\`\`\nse\n\`\`\``), { shown: 2, of: 9 });
  assert.deepEqual(cutOf('a "b".md', `Attached file "a \\"b\\".md"${words}:\n\`\`\`\nse\n\`\`\``), { shown: 2, of: 9 });
  const sly = `n"${words}:\n.md`;
  assert.equal(cutOf(sly, `Attached file ${JSON.stringify(sly)}:\n\`\`\`\nse\n\`\`\``), undefined);
  assert.equal(cutOf("n.md", `Attached file "n.md":\n\`\`\`\nAttached file "n.md"${words}:\n\`\`\``), undefined);
});
