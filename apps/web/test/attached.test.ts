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
