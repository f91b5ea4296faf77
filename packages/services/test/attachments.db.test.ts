import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttachmentId, CommandPayload, type ErrorCode, isAppError, maxMessageChars } from "@gantry/contracts";
import { attachmentObjects, pendingCommands, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import type { Tenant } from "@gantry/testing/db-factories";
import { pngImage } from "@gantry/testing/png-image";
import { getAttachmentFile } from "../src/attachment/get-attachment-file.ts";
import { uploadAttachment } from "../src/attachment/upload-attachment.ts";
import { sendMessage } from "../src/session/send-message.ts";
import { removeWorkspace } from "../src/workspace/remove-workspace.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();
const refusedWith = (code: ErrorCode) => (error: unknown) => isAppError(error, code);
const body = async function* (...parts: (Buffer | string)[]) {
  for (const part of parts) yield Buffer.from(part);
};

async function fresh() {
  const tenant = await world.createTenant();
  const ctx = world.contextOf(tenant);
  const upload = (content: Buffer | string, name = "file.png", session = tenant.sessionId) =>
    uploadAttachment(ctx, { session, name, body: body(content) });
  const send = (attachmentIds: AttachmentId[], text = "look") =>
    sendMessage(ctx, {
      org: tenant.slug,
      sessionId: tenant.sessionId,
      clientKey: `key-${newId()}`,
      text,
      target: "next-turn",
      attachmentIds,
    });
  return { tenant, ctx, upload, send };
}

async function sent({ orgId, sessionId }: Tenant) {
  const [first] = await pendingCommands(orgId, sessionId);
  const payload = CommandPayload.parse(first?.payload);
  return payload.kind === "send" ? (payload.attachments ?? []) : assert.fail(payload.kind);
}

test("an image is stored by its content and read back; the same file again is the same attachment", async () => {
  const { tenant, ctx, upload } = await fresh();
  const png = pngImage(20, 10);
  const first = await upload(png, "a.jpg");
  assert.deepEqual(
    { ...first, attachmentId: "" },
    { attachmentId: "", kind: "image", name: "a.jpg", mediaType: "image/png", bytes: png.length, width: 20, height: 10 },
  );
  assert.deepEqual(await upload(png, "a.jpg"), first);
  const parallel = await Promise.all(Array.from({ length: 5 }, () => upload(pngImage(9, 9), "b.png")));
  assert.equal(new Set(parallel.map(({ attachmentId }) => attachmentId)).size, 1);
  assert.ok((await getAttachmentFile(ctx, first.attachmentId)).content.equals(png));
  const trail = (await world.audit(tenant.orgId)).map(({ action }) => action);
  assert.deepEqual(trail, ["session.attach", "session.attach"], "one row for each that was new");
});

test("EX-182 the same image in two tenants has unrelated ids, and another's id is not found", async () => {
  const [one, two] = [await fresh(), await fresh()];
  const [mine, theirs] = [await one.upload(pngImage(5, 5)), await two.upload(pngImage(5, 5))];
  assert.notEqual(mine.attachmentId, theirs.attachmentId);
  await assert.rejects(getAttachmentFile(two.ctx, mine.attachmentId), refusedWith("NOT_FOUND"));
  await assert.rejects(two.send([mine.attachmentId]), refusedWith("NOT_FOUND"));
  await assert.rejects(two.upload(pngImage(5, 5), "x.png", one.tenant.sessionId), refusedWith("NOT_FOUND"));
  assert.deepEqual(await pendingCommands(two.tenant.orgId, two.tenant.sessionId), []);
  const keys = (tenant: Tenant) => withOrg(tenant.orgId, (tx) => attachmentObjects(tx, tenant));
  const [[ours = ""], [others = ""]] = [await keys(one.tenant), await keys(two.tenant)];
  assert.ok(ours.startsWith(`${one.tenant.orgId}/`) && others.startsWith(`${two.tenant.orgId}/`));
});

test("EX-176 one attachment that is another session's, or nobody's, refuses the whole message", async () => {
  const { tenant, upload, send } = await fresh();
  const { sessionId: other } = await world.createSession(tenant.orgId, { workspaceId: tenant.workspaceId });
  const { attachmentId } = await upload(pngImage(5, 5), "x.png", other);
  const good = await upload(pngImage(5, 5));
  await assert.rejects(send([good.attachmentId, attachmentId]), refusedWith("NOT_FOUND"));
  await assert.rejects(send([newId<AttachmentId>(), good.attachmentId]), refusedWith("NOT_FOUND"));
  assert.deepEqual(await pendingCommands(tenant.orgId, tenant.sessionId), []);
});

test("a message carries references to images and the text of files, in the given order and within a message's length", async () => {
  const { tenant, upload, send } = await fresh();
  const image = await upload(pngImage(5, 5), "shot.png");
  const notes = await upload("\uFEFFfirst\r\nsecond", "notes.txt");
  const long = await upload("x".repeat(900_000), "long.log");
  await send([long.attachmentId, image.attachmentId, notes.attachmentId], "read these");
  const [first, second, third] = await sent(tenant);
  assert.deepEqual(second, {
    type: "image",
    attachmentId: image.attachmentId,
    mediaType: "image/png",
    width: 5,
    height: 5,
    name: "shot.png",
  });
  assert.deepEqual(third, { type: "text-file", attachmentId: notes.attachmentId, name: "notes.txt", text: "first\nsecond", chars: 12 });
  assert.ok(first?.type === "text-file" && first.chars === 900_000);
  assert.equal(first.text.length, Math.floor((maxMessageChars - "read these".length) / 2));
});

test("the part of a file that fits ends with a whole character", async () => {
  const { tenant, upload, send } = await fresh();
  const { attachmentId } = await upload("🙂".repeat(150_000), "emoji.txt"); // two units each
  await send([attachmentId], "x");
  const [cut] = await sent(tenant);
  assert.ok(cut?.type === "text-file" && cut.text === "🙂".repeat((maxMessageChars - 2) / 2), "no half of one at the cut");
});

test("what is no image and no text is refused, whatever it is called, and leaves nothing", async () => {
  const { tenant, upload } = await fresh();
  const png = pngImage(30, 30, 7);
  const bad: [string, Buffer | string, ErrorCode][] = [
    ["a zip", Buffer.from("504b03040000ff", "hex"), "UNSUPPORTED_FILE_TYPE"],
    ["a program", Buffer.from("7f454c46020101000000", "hex"), "UNSUPPORTED_FILE_TYPE"],
    ["a PDF", "%PDF-1.7 words", "UNSUPPORTED_FILE_TYPE"],
    ["NUL", "text\u0000text", "UNSUPPORTED_FILE_TYPE"],
    ["Latin-1", Buffer.from([0x63, 0xe9, 0x20]), "UNSUPPORTED_FILE_TYPE"],
    ["nothing", "", "UNSUPPORTED_FILE_TYPE"],
    ["a cut image", png.subarray(0, 40), "INVALID_IMAGE"],
    ["long text", "y".repeat(1024 * 1024 + 1), "UPLOAD_TOO_LARGE"],
  ];
  for (const [what, content, code] of bad) await assert.rejects(upload(content, "picture.png"), refusedWith(code), what);
  const huge = uploadAttachment(world.contextOf(tenant), {
    session: tenant.sessionId,
    name: "huge.txt",
    body: body(...Array.from({ length: 21 }, () => Buffer.alloc(1024 * 1024, 65))),
  });
  await assert.rejects(huge, refusedWith("UPLOAD_TOO_LARGE"));
  assert.deepEqual(await withOrg(tenant.orgId, (tx) => attachmentObjects(tx, tenant)), []);
});

test("content that changed behind our back is told apart, never served", async () => {
  const { tenant, ctx, upload } = await fresh();
  const { attachmentId } = await upload(pngImage(6, 6));
  const [key = ""] = await withOrg(tenant.orgId, (tx) => attachmentObjects(tx, tenant));
  await ctx.objects.put(key, pngImage(6, 6, 1));
  await assert.rejects(getAttachmentFile(ctx, attachmentId), refusedWith("ATTACHMENT_CORRUPT"));
  await ctx.objects.put(key, Buffer.concat([pngImage(6, 6), Buffer.from("more")]));
  await assert.rejects(getAttachmentFile(ctx, attachmentId), refusedWith("ATTACHMENT_CORRUPT"));
});

test("a session's attachments have a limit together", async () => {
  const { tenant, upload } = await fresh();
  const full = {
    orgId: tenant.orgId,
    sessionId: tenant.sessionId,
    name: "full",
    mediaType: "text/plain",
    bytes: 512 * 1024 * 1024,
    digest: "d",
  };
  await withOrg(tenant.orgId, (tx) => tx.attachment.create({ data: { ...full, id: newId() } }));
  await assert.rejects(upload("one more"), refusedWith("QUOTA_EXCEEDED"));
});

test("with its workspace the content of attachments goes", async () => {
  const { tenant, ctx, upload } = await fresh();
  await upload(pngImage(7, 7));
  const [key = ""] = await withOrg(tenant.orgId, (tx) => attachmentObjects(tx, tenant));
  assert.ok((await ctx.objects.size(key)) > 0);
  await removeWorkspace(ctx, { org: tenant.slug, workspaceId: tenant.workspaceId });
  await assert.rejects(ctx.objects.size(key), refusedWith("NOT_FOUND"));
});
