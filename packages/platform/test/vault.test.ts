import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { masterKeyId, openSecret, sealSecret } from "../src/vault.ts";

const key = Buffer.alloc(32, 1);
const owner = { orgId: "org-a", id: "provider-1" };
const unreadable = (error: unknown): boolean => isAppError(error, "SECRET_UNREADABLE");

describe("vault", () => {
  test("SC-K2 a secret opens for its owner under its key only", () => {
    const sealed = sealSecret(key, owner, "sk-geheim ✓");
    assert.equal(openSecret(key, owner, sealed), "sk-geheim ✓");
    assert.throws(() => openSecret(key, { ...owner, orgId: "org-b" }, sealed), unreadable);
    assert.throws(() => openSecret(key, { ...owner, id: "provider-2" }, sealed), unreadable);
    assert.throws(() => openSecret(Buffer.alloc(32, 2), owner, sealed), unreadable);
  });

  test("SC-K2 a change of any byte is noticed", () => {
    const sealed = sealSecret(key, owner, "sk-1234");
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => openSecret(key, owner, changed), unreadable, `byte ${at}`);
    }
  });

  test("SC-K2 a shortened tag is refused, down to the 4 bytes that Node would take", () => {
    const sealed = sealSecret(key, owner, "sk-1234");
    for (let cut = 1; cut <= sealed.length; cut++) assert.throws(() => openSecret(key, owner, sealed.subarray(0, -cut)), unreadable);
    assert.throws(() => openSecret(key, owner, Buffer.alloc(0)), unreadable);
  });

  test("the same text is sealed differently each time and never stands in it", () => {
    const sealed = Array.from({ length: 50 }, () => sealSecret(key, owner, "sk-1234").toString("hex"));
    assert.equal(new Set(sealed.map((text) => text.slice(2, 26))).size, 50, "nonces repeat");
    assert.ok(!Buffer.from(sealed[0] ?? "", "hex").includes("sk-1234"));
  });

  test("a master key has a name that tells it from others", () => {
    assert.equal(masterKeyId(key), masterKeyId(Buffer.alloc(32, 1)));
    assert.notEqual(masterKeyId(key), masterKeyId(Buffer.alloc(32, 2)));
  });
});
