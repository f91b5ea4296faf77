import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isPrivateHost, parseBaseUrl } from "../src/base-url.ts";
import { LlmFailureError } from "../src/failure.ts";

const open = { allowInsecure: false };
const own = { allowInsecure: true };
const parse = (text: string, options = open, kind: Parameters<typeof parseBaseUrl>[0] = "openai-compatible") =>
  parseBaseUrl(kind, text, options).toString();

describe("base URL", () => {
  it("is tidied: no trailing slash, no pasted endpoint, the version path of Anthropic", () => {
    assert.equal(parse(" https://api.example.com/v1/ "), "https://api.example.com/v1");
    assert.equal(parse("https://api.example.com/v1/chat/completions"), "https://api.example.com/v1");
    assert.equal(parse("https://api.anthropic.com", open, "anthropic"), "https://api.anthropic.com/v1");
    assert.equal(parse("https://api.anthropic.com/v1/messages", open, "anthropic"), "https://api.anthropic.com/v1");
  });

  it("refuses what would leak a key or reach into a network", () => {
    const bad = [
      "no url",
      "ftp://example.com",
      "http://example.com",
      "https://user:pass@example.com",
      "https://example.com?a=b",
      "https://localhost/v1",
      "https://127.1/v1",
      "https://0x7f000001/v1",
      "https://10.0.0.1",
      "https://169.254.169.254/latest",
      "https://[::1]/v1",
      "https://[::ffff:10.0.0.1]/v1",
      "https://[fd00::1]/v1",
      "https://metadata.google.internal",
      "https://redis",
    ];
    for (const text of bad) assert.throws(() => parse(text), LlmFailureError, text);
  });

  it("a self-hosted installation may use its own network, plain http only there", () => {
    assert.equal(parse("http://localhost:11434/v1", own), "http://localhost:11434/v1");
    assert.equal(parse("http://192.168.1.5/v1", own), "http://192.168.1.5/v1");
    assert.throws(() => parse("http://example.com/v1", own), LlmFailureError);
    assert.throws(() => parse("http://user@localhost/v1", own), LlmFailureError);
  });

  it("SC-N5 the metadata service of a cloud is no model server, whatever else of the own network is allowed", () => {
    for (const host of [
      "169.254.169.254",
      "2852039166",
      "[::ffff:169.254.169.254]",
      "[fe80::1]",
      "[fd00:ec2::254]",
      "metadata.google.internal",
      "metadata.",
    ])
      assert.throws(() => parse(`http://${host}/v1`, own), /credentials of its machines/, host);
  });

  it("knows inside addresses from outside ones", () => {
    for (const host of ["172.16.0.1", "172.31.255.255", "100.64.0.1", "0.0.0.0", "224.0.0.1", "a.local", "LOCALHOST.", "[fe80::1]"])
      assert.ok(isPrivateHost(host), host);
    for (const host of ["172.32.0.1", "100.128.0.1", "8.8.8.8", "api.deepseek.com", "[2606:4700::1]"])
      assert.ok(!isPrivateHost(host), host);
  });
});
