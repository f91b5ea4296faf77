import assert from "node:assert/strict";
import { test } from "node:test";
import { droppedImages } from "../src/image-offload/dropped-images.ts";

const mib = 1024 * 1024;
const equal = (count: number, size: number) => Array.from({ length: count }, () => size);

test("EX-180 129 images of 1 MiB leave 64, and so it stays until the budget is passed again", () => {
  const bytes = { budget: 128 * mib, quantum: 64 * mib };
  assert.equal(droppedImages(equal(128, mib), bytes), 0);
  for (const count of [129, 130, 160, 193]) assert.equal(droppedImages(equal(count, mib), bytes), 65, String(count));
  assert.equal(droppedImages(equal(194, mib), bytes), 130);
  const images = { budget: 600, quantum: 20 };
  assert.deepEqual(
    [600, 601, 621, 622].map((count) => droppedImages(equal(count, 1), images)),
    [0, 21, 21, 42],
  );
});

test("whatever the sizes: what is kept fits, only the oldest go, and a longer list never brings one back", () => {
  let state = 3;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  for (let round = 0; round < 200; round++) {
    const options = { budget: 1 + random(500), quantum: 1 + random(600) };
    const sizes: number[] = [];
    let before = 0;
    for (let count = 0; count < 60; count++) {
      sizes.push(random(120));
      const dropped = droppedImages(sizes, options);
      const kept = sizes.slice(dropped).reduce((sum, size) => sum + size, 0);
      assert.ok(kept <= options.budget && dropped >= before && dropped <= sizes.length);
      if (dropped > before) assert.ok(kept <= Math.max(0, options.budget - options.quantum), "room for a quantum");
      before = dropped;
    }
  }
});
