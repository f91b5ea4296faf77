import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSseScan } from "../src/wire/sse-scan.ts";

const done = /^data: ?\[DONE\]$/;
const bytes = (text: string) => new TextEncoder().encode(text);

function scan(text: string, size: number) {
  const seen = createSseScan(done);
  const all = bytes(text);
  for (let at = 0; at < all.length; at += size) seen.push(all.subarray(at, at + size));
  return seen;
}

describe("event stream scan", () => {
  it("finds the end mark however the bytes are cut, with either line ending", () => {
    for (const text of ["data: {}\n\ndata: [DONE]\n\n", "data: {}\r\n\r\ndata: [DONE]\r\n\r\n", ": hi\ndata:[DONE]\n\n"]) {
      for (let size = 1; size <= text.length; size++) assert.ok(scan(text, size).terminated, `${JSON.stringify(text)} by ${size}`);
    }
  });

  it("takes the mark only as a whole line and a complete event", () => {
    for (const text of [
      "data: [DONE]",
      "data: [DONE]\n",
      'data: {"text":"\\ndata: [DONE]"}\n\n',
      "data: [DONE] no\n\n",
      "xdata: [DONE]\n\n",
    ]) {
      for (const size of [1, 3, 100]) assert.ok(!scan(text, size).terminated, JSON.stringify(text));
    }
  });

  it("a long line does not hide the mark, nor is its tail one", () => {
    const long = "x".repeat(100_000);
    assert.ok(scan(`data: ${long}\n\ndata: [DONE]\n\n`, 1_000).terminated);
    assert.ok(!scan(`data: ${long}data: [DONE]\n\n`, 70).terminated);
    assert.ok(!scan(`${" ".repeat(64)}\ndata: [DONE]`, 7).terminated);
  });

  it("tells an event stream from other text", () => {
    assert.equal(scan("<html>data: no</html>\n", 5).words, "<html>data: no</html>\n");
    assert.equal(scan("event: x\ndata: y\n", 5).words, null);
  });
});
