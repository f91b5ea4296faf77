import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedRead } from "../src/shared-read.ts";

/** A store whose readings are held back until they are let go. */
function slowStore(key: string) {
  const held: (() => void)[] = [];
  const store = { value: "old", reads: 0 };
  const read = async () => {
    store.reads += 1;
    const { value } = store;
    await new Promise<void>((resolve) => held.push(resolve));
    return value;
  };
  return { store, ask: () => sharedRead(key, read), letGo: () => held.shift()?.() };
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("DSK-8 whoever asks while a read is under way shares the next one, which sees what was stored by then", async () => {
  const { store, ask, letGo } = slowStore("a");
  const first = ask();
  store.value = "new";
  const later = [ask(), ask(), ask()];
  letGo();
  assert.equal(await first, "old", "it asked before the change");
  await turn();
  letGo();
  assert.deepEqual(await Promise.all(later), ["new", "new", "new"]);
  assert.equal(store.reads, 2);
  const last = ask();
  letGo();
  assert.equal(await last, "new");
  assert.equal(store.reads, 3, "nothing is kept");
});

test("a read that fails is told to those who share it, and the next one is made anew", async () => {
  const failing = () => sharedRead("b", () => Promise.reject(new Error("away")));
  const results = await Promise.allSettled([failing(), failing(), failing()]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected", "rejected"],
  );
  assert.equal(await sharedRead("b", () => Promise.resolve("back")), "back");
});

test("SC-T2 what has another name is read by itself", async () => {
  const [mine, theirs] = [slowStore("org-1/p"), slowStore("org-2/p")];
  theirs.store.value = "theirs";
  const both = Promise.all([mine.ask(), theirs.ask()]);
  mine.letGo();
  theirs.letGo();
  assert.deepEqual(await both, ["old", "theirs"]);
});
