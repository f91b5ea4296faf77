import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { WorkspaceId } from "@gantry/contracts";
import { acquireLease, releaseLease, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { sendMessage } from "../src/session/send-message.ts";
import { createWorkspace } from "../src/workspace/create-workspace.ts";
import { getWorkspace } from "../src/workspace/get-workspace.ts";
import { listWorkspaces } from "../src/workspace/list-workspaces.ts";
import { removeWorkspace } from "../src/workspace/remove-workspace.ts";
import { retryImport } from "../src/workspace/retry-import.ts";
import { uploadWorkspace } from "../src/workspace/upload-workspace.ts";
import { openWorld } from "./support.ts";

const world = await openWorld({ UPLOAD_MAX_MB: "1", GANTRY_ALLOW_PRIVATE_HOSTS: "1" });
const zip = Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(1_000)]);
const gzip = Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), Buffer.alloc(1_000)]);

async function start() {
  const tenant = await world.createTenant();
  return { tenant, ctx: world.contextOf(tenant), org: tenant.slug };
}

async function* chunks(bytes: Buffer, size = 700): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Files of the object store, half-written ones included. */
async function storedFiles(): Promise<string[]> {
  const root = join(world.env.GANTRY_DATA_DIR, "objects");
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe("creating", () => {
  test("an empty workspace is ready, a clone waits for a worker; a name is taken once in an organisation", async () => {
    const { ctx, org } = await start();
    const empty = await createWorkspace(ctx, { org, name: "one", source: { kind: "empty" } });
    assert.equal((await getWorkspace(ctx, { org, ...empty })).state, "ready");
    const clone = await createWorkspace(ctx, { org, name: "two", source: { kind: "clone", url: "https://git.example.test/a/b.git" } });
    assert.deepEqual((await getWorkspace(ctx, { org, ...clone })).source, { kind: "clone", url: "https://git.example.test/a/b.git" });
    assert.equal((await getWorkspace(ctx, { org, ...clone })).state, "importing");
    await assert.rejects(createWorkspace(ctx, { org, name: "one", source: { kind: "empty" } }), { code: "CONFLICT" });
    const other = await start();
    await createWorkspace(other.ctx, { org: other.org, name: "one", source: { kind: "empty" } });
  });

  test("a list is paged without repeats and without gaps", async () => {
    const { ctx, org } = await start();
    for (let number = 0; number < 6; number++) await createWorkspace(ctx, { org, name: `w${number}`, source: { kind: "empty" } });
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listWorkspaces>> = await listWorkspaces(ctx, { org, limit: 3, ...(cursor && { cursor }) });
      names.push(...page.items.map((item) => item.name));
      cursor = page.nextCursor;
    } while (cursor);
    assert.equal(names.length, 7);
    assert.equal(new Set(names).size, 7);
    await assert.rejects(listWorkspaces(ctx, { org, cursor: "0; drop table" }), { code: "BAD_REQUEST" });
  });
});

describe("uploading", () => {
  for (const [format, bytes] of [
    ["zip", zip],
    ["tar.gz", gzip],
  ] as const)
    test(`a ${format} archive is known by its first bytes, however they arrive`, async () => {
      const { ctx, org, tenant } = await start();
      const { workspaceId } = await uploadWorkspace(ctx, { org, name: "files", body: chunks(bytes, 1) });
      const [row] = await world.asOwner<{ source: { format: string; object: string; bytes: number } }>(
        tenant.orgId,
        "SELECT source FROM workspaces WHERE id = $1",
        [workspaceId],
      );
      assert.equal(row?.source.format, format);
      assert.equal(row?.source.bytes, bytes.length);
      const stored = await ctx.objects.get(row?.source.object ?? "");
      assert.deepEqual(Buffer.concat(await stored.toArray()), bytes);
      assert.ok(!JSON.stringify(await getWorkspace(ctx, { org, workspaceId })).includes(row?.source.object ?? "-"));
    });

  const failures = {
    "SC-F3 neither zip nor gzip": { body: () => chunks(Buffer.from("#!/bin/sh\nrm -rf /")), code: "ARCHIVE_REFUSED" },
    "an empty file": { body: () => chunks(Buffer.alloc(0)), code: "ARCHIVE_REFUSED" },
    "SC-F4 more bytes than allowed": {
      body: () => chunks(Buffer.concat([zip, Buffer.alloc(1_100_000)]), 64_000),
      code: "UPLOAD_TOO_LARGE",
    },
    "a browser that goes away": { body: () => broken(), code: "ECONNRESET" },
    "a taken name": { body: () => chunks(zip), code: "CONFLICT", name: "taken" },
  };
  for (const [what, { body, code, ...rest }] of Object.entries(failures))
    test(`${what} leaves nothing behind`, async () => {
      const { ctx, org, tenant } = await start();
      await createWorkspace(ctx, { org, name: "taken", source: { kind: "empty" } });
      const [files, audit] = [await storedFiles(), (await world.audit(tenant.orgId)).length];
      await assert.rejects(uploadWorkspace(ctx, { org, name: "files", ...rest, body: body() }), { code });
      assert.deepEqual(await storedFiles(), files);
      assert.equal((await world.audit(tenant.orgId)).length, audit);
      assert.ok((await listWorkspaces(ctx, { org })).items.every((item) => item.name !== "files"));
    });

  test("two uploads of one name at once make one workspace and keep one object", async () => {
    const { ctx, org } = await start();
    const files = (await storedFiles()).length;
    const results = await Promise.allSettled([1, 2].map(() => uploadWorkspace(ctx, { org, name: "files", body: chunks(zip) })));
    assert.deepEqual(results.map((result) => result.status).sort(), ["fulfilled", "rejected"]);
    assert.equal((await storedFiles()).length, files + 1);
  });
});

describe("repeating an import and removing", () => {
  test("only what failed is imported again", async () => {
    const { ctx, org, tenant } = await start();
    const { workspaceId } = await createWorkspace(ctx, {
      org,
      name: "c",
      source: { kind: "clone", url: "https://git.example.test/a.git" },
    });
    await withOrg(tenant.orgId, (tx) => tx.workspace.updateMany({ where: { id: workspaceId }, data: { state: "failed", problem: "no" } }));
    const again = await retryImport(ctx, { org, workspaceId });
    assert.deepEqual([again.state, again.problem], ["importing", null]);
    await assert.rejects(retryImport(ctx, { org, workspaceId: tenant.workspaceId }), { code: "CONFLICT" });
  });

  test("a workspace is not removed while a session works or has work waiting, and goes with its sessions and archive otherwise", async () => {
    const { ctx, org, tenant } = await start();
    const input = { org, workspaceId: tenant.workspaceId };
    const lease = await acquireLease(tenant.orgId, tenant.sessionId, "w", 60_000);
    await assert.rejects(removeWorkspace(ctx, input), { code: "WORKSPACE_BUSY" });
    await releaseLease(tenant.orgId, tenant.sessionId, lease?.epoch ?? 0);
    await sendMessage(ctx, { org, sessionId: tenant.sessionId, clientKey: newId(), text: "hi", target: "next-turn" });
    await assert.rejects(removeWorkspace(ctx, input), { code: "WORKSPACE_BUSY" });
    await world.asOwner(tenant.orgId, "UPDATE session_commands SET consumed_at = now()");
    await removeWorkspace(ctx, input);
    await assert.rejects(removeWorkspace(ctx, input), { code: "NOT_FOUND" });
    assert.deepEqual(await world.asOwner(tenant.orgId, "SELECT id FROM sessions"), []);
    const upload = await uploadWorkspace(ctx, { org, name: "files", body: chunks(zip) });
    const files = (await storedFiles()).length;
    await removeWorkspace(ctx, { org, workspaceId: WorkspaceId.parse(upload.workspaceId) });
    assert.equal((await storedFiles()).length, files - 1);
  });
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield zip;
  throw Object.assign(new Error("the connection broke"), { code: "ECONNRESET" });
}
