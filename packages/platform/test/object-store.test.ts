import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { after, describe, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { folderStore } from "../src/folder-store.ts";

const base = await mkdtemp(join(tmpdir(), "gantry-objects-"));
after(() => rm(base, { recursive: true, force: true }));
const root = join(base, "objects");
const store = folderStore(root);

describe("folder store", () => {
  test("what is put is got, with its size, and a second put replaces it", async () => {
    assert.deepEqual(await store.put("org/a.bin", Buffer.from("one")), { bytes: 3 });
    assert.deepEqual(await store.put("org/a.bin", Readable.from([Buffer.from("two"), Buffer.from("!")])), { bytes: 4 });
    assert.equal(await text(await store.get("org/a.bin")), "two!");
    assert.equal(await store.size("org/a.bin"), 4);
    await store.put("org/empty", Buffer.alloc(0));
    assert.equal((await buffer(await store.get("org/empty"))).length, 0);
  });

  test("get and size of nothing are NOT_FOUND, delete of nothing does nothing", async () => {
    await store.delete("org/none");
    await assert.rejects(store.get("org/none"), (error) => isAppError(error, "NOT_FOUND"));
    await assert.rejects(store.size("org/a.bin/below"), (error) => isAppError(error, "NOT_FOUND"));
    await store.put("org/gone", Buffer.from("x"));
    await store.delete("org/gone");
    await assert.rejects(store.size("org/gone"), (error) => isAppError(error, "NOT_FOUND"));
  });

  const bad = [
    "",
    "/etc/passwd",
    "../x",
    "a/../b",
    "a//b",
    "a/",
    ".partial/x",
    "a/.x",
    "a\\b",
    "a\0b",
    "a b",
    "ü",
    "a/..",
    "x".repeat(600),
  ];
  for (const key of bad)
    test(`SC-F3 the key ${JSON.stringify(key.slice(0, 20))} is refused by every operation`, async () => {
      const refused = (error: unknown): boolean => isAppError(error, "BAD_REQUEST");
      for (const call of [() => store.put(key, Buffer.from("x")), () => store.get(key), () => store.size(key), () => store.delete(key)])
        await assert.rejects(async () => call(), refused);
    });

  test("a source over the cap is cut off as it passes it, and nothing is stored", async () => {
    let produced = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          produced += 1024;
          yield Buffer.alloc(1024);
        }
      })(),
    );
    await assert.rejects(store.put("org/big", endless, { maxBytes: 100_000 }), (error) => isAppError(error, "UPLOAD_TOO_LARGE"));
    assert.ok(produced < 200_000, `read ${produced}`);
    await assert.rejects(store.size("org/big"), (error) => isAppError(error, "NOT_FOUND"));
    assert.deepEqual(await readdir(join(root, ".partial")), []);
  });

  test("a source that breaks or is aborted leaves the old object", async () => {
    await store.put("org/kept", Buffer.from("old"));
    const breaking = Readable.from(
      (async function* () {
        yield Buffer.from("new");
        throw new Error("cut");
      })(),
    );
    await assert.rejects(store.put("org/kept", breaking), /cut/);
    const stalled = new Readable({ read() {} });
    await assert.rejects(store.put("org/kept", stalled, { signal: AbortSignal.timeout(20) }), { name: "AbortError" });
    assert.equal(await text(await store.get("org/kept")), "old");
    assert.deepEqual(await readdir(join(root, ".partial")), []);
  });

  test("SC-F3 a link in the folder is not followed", async () => {
    await mkdir(join(root, "org"), { recursive: true });
    await writeFile(join(base, "outside"), "secret");
    await symlink(join(base, "outside"), join(root, "org", "link"));
    await assert.rejects(store.get("org/link"), { code: "ELOOP" });
  });
});
