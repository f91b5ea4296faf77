import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttachmentId, MessageAttachment } from "@gantry/contracts";
import { messageContent } from "../src/session/message-content.ts";

const id = "00000000-0000-8000-8000-000000000001" as AttachmentId;
const file = (text: string, chars = text.length): MessageAttachment => ({ type: "text-file", attachmentId: id, name: "a.md", text, chars });
const image: MessageAttachment = { type: "image", attachmentId: id, mediaType: "image/png", width: 2, height: 3 };

test("words come first, then what is attached in its order; a picture alone needs no words", () => {
  assert.deepEqual(messageContent({ text: "see" }), [{ type: "text", text: "see" }]);
  const blocks = messageContent({ text: "see", attachments: [image, file("x"), image] });
  assert.deepEqual(
    blocks.map((block) => (block.type === "text" ? (block.file?.name ?? "words") : block.type)),
    ["words", "image", "a.md", "image"],
  );
  assert.deepEqual(messageContent({ text: "", attachments: [image] }), [image]);
});

test("a file is framed so that nothing in it ends the frame, and says when it was cut off", () => {
  const [, block] = messageContent({ text: "see", attachments: [file("```\nend\n`````\n", 99)] });
  assert.ok(block?.type === "text");
  assert.ok(block.text.endsWith("\n``````"), block.text);
  assert.match(block.text, /^Attached file "a\.md" \(cut off: the first 14 of 99 characters\):\n``````\n/);
});
