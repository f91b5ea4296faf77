import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "@gantry/platform";
import type { AttachmentView } from "@gantry/services";
import { pngImage } from "@gantry/testing/png-image";
import { openApi } from "./support.ts";

const api = await openApi();
const tenant = await api.createTenant();
const who = await api.signIn(tenant.userId);
const other = await api.createTenant();
const stranger = await api.signIn(other.userId);
const at = (session: string = tenant.sessionId, name = "shot.png", org = tenant.slug) =>
  `/api/attachments?${new URLSearchParams({ org, session, name })}`;
const upload = (path: string, content: Buffer | string, headers: Record<string, string> = {}, as: typeof who | null = who) =>
  api.fetch(as, path, { method: "POST", body: new Uint8Array(Buffer.from(content)), headers });
const codeOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { data: { appCode: string } } };
  return [response.status, error.data.appCode];
};

test("an upload is known by its content, not by its headers, and its name is a label", async () => {
  const response = await upload(at(tenant.sessionId, "../../etc/shot.svg"), pngImage(4, 3), { "content-type": "image/svg+xml" });
  assert.equal(response.status, 201);
  const view = (await response.json()) as AttachmentView;
  assert.deepEqual([view.kind, view.mediaType, view.name, view.width, view.height], ["image", "image/png", "shot.svg", 4, 3]);
  const svg = await upload(at(tenant.sessionId, "x.svg"), "<svg onload='alert(1)'/>", { "content-type": "image/svg+xml" });
  assert.equal(((await svg.json()) as AttachmentView).mediaType, "text/plain", "a drawing that can run scripts is text");
});

test("SC-W3 what is given out cannot act as a page", async () => {
  const created = (await (await upload(at(tenant.sessionId, 'a"\u202Eb.html'), "<script>alert(1)</script>")).json()) as AttachmentView;
  const response = await api.fetch(who, `/api/attachments/${created.attachmentId}?org=${tenant.slug}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.match(response.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
  assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename\*=UTF-8''[A-Za-z0-9%._-]+$/);
  assert.match(response.headers.get("cache-control") ?? "", /^private/);
  assert.equal(await response.text(), "<script>alert(1)</script>");
});

test("SC-T1 strangers, the signed-out and other sites get nothing", async () => {
  const { attachmentId } = (await (await upload(at(), pngImage(4, 4))).json()) as AttachmentView;
  const get = (as: typeof who | null, org: string, id: string = attachmentId) => api.fetch(as, `/api/attachments/${id}?org=${org}`);
  assert.equal((await get(who, tenant.slug)).status, 200);
  assert.deepEqual(await codeOf(await get(null, tenant.slug)), [401, "UNAUTHENTICATED"]);
  assert.deepEqual(await codeOf(await get(stranger, tenant.slug)), [404, "NOT_FOUND"]);
  assert.deepEqual(await codeOf(await get(stranger, other.slug)), [404, "NOT_FOUND"], "another org's id in one's own org");
  assert.deepEqual(await codeOf(await get(who, tenant.slug, newId())), [404, "NOT_FOUND"]);
  assert.deepEqual(await codeOf(await get(who, tenant.slug, "..%2f")), [404, "NOT_FOUND"]);
  assert.deepEqual(await codeOf(await upload(at(), "x", {}, null)), [401, "UNAUTHENTICATED"]);
  assert.deepEqual(await codeOf(await upload(at(), "x", {}, stranger)), [404, "NOT_FOUND"]);
  assert.deepEqual(await codeOf(await upload(at(tenant.sessionId, "x", other.slug), "x", {}, stranger)), [404, "NOT_FOUND"]);
  assert.deepEqual(await codeOf(await upload(at(), "x", { origin: "http://evil.test" })), [403, "FORBIDDEN"]);
  const viewer = await api.createUser();
  await api.createMembership(tenant.orgId, viewer.userId, "viewer");
  assert.deepEqual(await codeOf(await upload(at(), "x", {}, await api.signIn(viewer.userId))), [403, "FORBIDDEN"]);
});

test("sizes and forms are refused with their codes, declared or not", async () => {
  const large = Buffer.alloc(20 * 1024 * 1024 + 1, 65);
  assert.deepEqual(await codeOf(await upload(at(), large)), [413, "UPLOAD_TOO_LARGE"]);
  const undeclared = { method: "POST", body: new Blob([large]).stream(), duplex: "half" } as RequestInit;
  assert.deepEqual(await codeOf(await api.fetch(who, at(), undeclared)), [413, "UPLOAD_TOO_LARGE"]);
  assert.deepEqual(await codeOf(await upload(at(), Buffer.from("504b0304", "hex"))), [422, "UNSUPPORTED_FILE_TYPE"]);
  assert.deepEqual(await codeOf(await upload(at(), pngImage(8_200, 1))), [422, "IMAGE_DIMENSION_TOO_LARGE"]);
  assert.deepEqual(await codeOf(await upload(`${at()}&more=1`, "x")), [400, "BAD_REQUEST"]);
  assert.deepEqual(await codeOf(await upload(at(tenant.sessionId, "a\nb"), "x")), [400, "BAD_REQUEST"]);
});

test("a message may be a picture without words, and is refused without both", async () => {
  const { attachmentId } = (await (await upload(at(), pngImage(4, 4))).json()) as AttachmentView;
  const message = (attachmentIds: string[]) => ({
    org: tenant.slug,
    sessionId: tenant.sessionId,
    clientKey: newId(),
    text: "",
    target: "next-turn",
    attachmentIds,
  });
  assert.equal((await api.call(who, "session.send", "mutation", message([attachmentId]))).status, 200);
  assert.equal((await api.call(who, "session.send", "mutation", message([]))).status, 400);
  assert.equal((await api.call(who, "session.send", "mutation", message(Array.from({ length: 21 }, () => attachmentId)))).status, 400);
});
