import assert from "node:assert/strict";
import { test } from "node:test";
import type { VariantImage } from "@gantry/agent";
import type { OrgId } from "@gantry/contracts";
import { VariantCache } from "../src/roots/variant-cache.ts";

const [one, two] = ["one" as OrgId, "two" as OrgId];

/** A cache and how often each image was made in it. */
function counting(maxBytes: number) {
  const cache = new VariantCache(maxBytes);
  const made: string[] = [];
  const get = (orgId: OrgId, id: string, length = 10) =>
    cache.get(orgId, id, async () => {
      made.push(`${orgId}/${id}`);
      return { bytes: Buffer.alloc(length) } as unknown as VariantImage;
    });
  return { cache, made, get };
}

test("M-4 two workers share nothing, nor do two orgs of one; an org's images go with its roots", async () => {
  const [first, second] = [counting(100), counting(100)];
  await Promise.all([first.get(one, "a"), first.get(one, "a"), first.get(two, "a"), second.get(one, "a")]);
  assert.deepEqual([first.made, second.made], [["one/a", "two/a"], ["one/a"]]);
  first.cache.forget(one);
  await Promise.all([first.get(one, "a"), first.get(two, "a")]);
  assert.deepEqual(first.made.slice(2), ["one/a"]);
});

test("what was used longest ago goes when the bytes are too many, and what was forgotten counts no more", async () => {
  const { cache, made, get } = counting(30);
  for (const id of ["a", "b", "c", "a", "d"]) await get(one, id);
  for (const id of ["a", "c", "d"]) await get(one, id);
  assert.equal(made.length, 4);
  await get(one, "b");
  assert.deepEqual(made.slice(4), ["one/b"]);
  const pending = get(two, "e");
  cache.forget(two);
  await pending;
  cache.forget(one);
  made.length = 0;
  for (const id of ["x", "y", "z", "x", "y", "z"]) await get(one, id);
  assert.equal(made.length, 3, "all of the budget is free again");
});
