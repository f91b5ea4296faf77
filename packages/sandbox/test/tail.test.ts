import assert from "node:assert/strict";
import { test } from "node:test";
import { TailCapture } from "../src/sandboxd/proc/tail.ts";

test("D.1 the tail is byte-exact however the stream was cut", () => {
  const whole = Buffer.from("ä€😀xyz\n".repeat(5000));
  for (const step of [1, 3, 7, 1000, 64_000]) {
    for (const max of [1, 2, 10, 999, whole.length - 1, whole.length, whole.length + 1]) {
      const tail = new TailCapture(max, 0);
      for (let at = 0; at < whole.length; at += step) tail.add(whole.subarray(at, at + step));
      const { text, truncated } = tail.finish();
      assert.equal(truncated, max < whole.length);
      const bytes = Buffer.from(text);
      assert.ok(whole.subarray(-bytes.length || whole.length).equals(bytes) || bytes.length === 0, `step ${step}, max ${max}`);
      assert.ok(bytes.length <= max && bytes.length > Math.min(max, whole.length) - 4);
    }
  }
});

test("EX-032 one chunk larger than the cap keeps its exact tail, whatever came before it", () => {
  const chunk = Buffer.from("0123456789abcdef".repeat(8_000));
  for (const before of ["", "x", "y".repeat(64_000)]) {
    const tail = new TailCapture(64_000, 0);
    tail.add(Buffer.from(before));
    tail.add(chunk);
    const { text, truncated, spillPath } = tail.finish();
    assert.deepEqual([text, truncated, spillPath], [chunk.subarray(-64_000).toString(), true, undefined]);
  }
});

test("a tail of a long stream of small pieces holds no more than it must", () => {
  const tail = new TailCapture(1000, 0);
  const piece = Buffer.from("0123456789");
  for (let i = 0; i < 200_000; i += 1) tail.add(piece);
  assert.equal(tail.finish().text, "0123456789".repeat(100));
});

test("invalid bytes that were always there are kept as such, only the cut is mended", () => {
  const tail = new TailCapture(4, 0);
  tail.add(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]));
  assert.equal(tail.finish().text, "\ufffdb\ufffd");
});
