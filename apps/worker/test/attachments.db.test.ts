import assert from "node:assert/strict";
import { test } from "node:test";
import { type CommandPayload, ImageBlock, isAppError, isEvent, type OrgId } from "@gantry/contracts";
import { getAttachment, storeAttachment, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { pngImage } from "@gantry/testing/png-image";
import { attachmentMeans } from "../src/roots/attachment-means.ts";
import { VariantCache } from "../src/roots/variant-cache.ts";
import { type Ref, startHolder } from "./support/holder.ts";
import { until } from "./support/until.ts";

const { db, model, deps, addOrg, post, hold, events } = await startHolder(() => ({ text: "seen" }));
const { objects } = deps;
const variants = new VariantCache(1024 * 1024);

/** A session whose model takes images. */
async function seeing(org: { orgId: OrgId }) {
  const { workspaceId } = await db.createWorkspace(org.orgId);
  await db.createProvider(org.orgId, { slug: "eyes", kind: "openai_compatible", baseUrl: model.url, models: ["gpt-4o"] });
  const { sessionId } = await db.createSession(org.orgId, { workspaceId, provider: "eyes", model: "gpt-4o" });
  return { orgId: org.orgId, sessionId };
}
async function attach({ orgId, sessionId }: Ref, bytes: Buffer, size = { width: 8, height: 6 }): Promise<ImageBlock> {
  const image = { orgId, sessionId, name: "a.png", mediaType: "image/png", content: bytes, size, createdBy: null };
  const { id } = await storeAttachment(objects, image);
  return ImageBlock.parse({ type: "image", attachmentId: id, mediaType: "image/png", ...size, name: "a.png" });
}
const sent = (attachments: ImageBlock[]): CommandPayload => ({
  kind: "send",
  messageId: newId(),
  text: "look",
  target: "next-turn",
  wakeup: true,
  userId: newId(),
  userName: "Ada",
  attachments,
});

async function answered(ref: Ref, attachments: ImageBlock[]): Promise<void> {
  await post(ref, sent(attachments));
  void hold(ref);
  await until(async () => (await events(ref)).some((event) => isEvent(event, "turn/end")), "the turn");
}

test("what a person attached reaches the model through a worker; the log holds the reference", async () => {
  const ref = await seeing(await addOrg());
  const block = await attach(ref, pngImage(8, 6, 4));
  await answered(ref, [block]);
  const body = JSON.stringify(model.requests.at(-1)?.body);
  assert.ok(body.includes(pngImage(8, 6, 4).toString("base64")));
  const [message] = (await events(ref)).filter((event) => isEvent(event, "user/message")).filter(({ data }) => data.source.kind === "user");
  assert.deepEqual(message?.data.content, [{ type: "text", text: "look" }, block]);
});

test("EX-182 the id of another org's image shows nothing, even from inside the queue", async () => {
  const [mine, theirs] = [await seeing(await addOrg()), await seeing(await addOrg())];
  const secret = pngImage(8, 6, 77);
  const block = await attach(theirs, secret);
  await answered(mine, [block]);
  const body = JSON.stringify(model.requests.at(-1)?.body);
  assert.ok(!body.includes(secret.toString("base64")));
  assert.match(body, /image omitted because what was stored of it cannot be read/);
  const foreign = attachmentMeans(mine.orgId, objects, variants);
  await assert.rejects(foreign.requestImage(block.attachmentId), (error) => isAppError(error, "NOT_FOUND"));
});

test("an image that a tool saves belongs to its session, is normalised, and the same one again is the same", async () => {
  const ref = await seeing(await addOrg());
  const store = attachmentMeans(ref.orgId, objects, variants);
  const first = await store.saveImage(ref.sessionId, { bytes: pngImage(3_000, 10), name: "wide.png" });
  assert.deepEqual([first.block.width, first.block.height, first.original], [2_048, 7, { width: 3_000, height: 10 }]);
  const again = await store.saveImage(ref.sessionId, { bytes: pngImage(3_000, 10), name: "wide.png" });
  assert.deepEqual(again, first);
  const row = await getAttachment(ref.orgId, first.block.attachmentId);
  assert.deepEqual([row.sessionId, row.bytes, row.width], [ref.sessionId, first.bytes, 2_048]);
  await assert.rejects(store.saveImage(ref.sessionId, { bytes: pngImage(4, 4), name: "x.gif", expected: "image/gif" }), (error) =>
    isAppError(error, "IMAGE_TYPE_MISMATCH"),
  );
});

test("those who ask at the same time share one piece of work, and a failure is not kept", async () => {
  const ref = await seeing(await addOrg());
  const store = attachmentMeans(ref.orgId, objects, variants);
  const { attachmentId } = await attach(ref, pngImage(8, 6, 5));
  const shown = await Promise.all(Array.from({ length: 5 }, () => store.requestImage(attachmentId)));
  assert.ok(shown.every((image) => image === shown[0]));
  const { attachmentId: late } = await attach(ref, pngImage(8, 6, 6));
  const { digest } = await getAttachment(ref.orgId, late);
  const key = `${ref.orgId}/sessions/${ref.sessionId}/attachments/${digest}`;
  await objects.put(key, Buffer.from("damaged"));
  await assert.rejects(store.requestImage(late), (error) => isAppError(error, "ATTACHMENT_CORRUPT"));
  await objects.put(key, pngImage(8, 6, 6));
  assert.equal((await store.requestImage(late)).width, 8);
  await withOrg(ref.orgId, (tx) => tx.attachment.deleteMany({ where: { id: late } }));
});
