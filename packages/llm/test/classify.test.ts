import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { classifyHttp } from "../src/classify.ts";
import { failureOfThrown } from "../src/failure.ts";
import { retryAfterMs } from "../src/retry-after.ts";
import { scrubber } from "../src/secret-text.ts";
import { disjointUsage } from "../src/usage.ts";
import { refusedAnswer } from "../src/wire/refused-answer.ts";

const scrub = scrubber("sk-secret-key");
const http = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  classifyHttp(status, new Headers(headers), typeof body === "string" ? body : JSON.stringify(body), scrub, 0);
const said = (message: string, type = "") => ({ error: { message, type } });

/** How servers say that a conversation is too long. */
const overflows = [
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "Input is too long for requested model.",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  "prompt token count of 140000 exceeds the limit of 128000",
  "Invalid request: Your request exceeded model token limit: 8192",
  "Range of input length should be [1, 30720]",
  "invalid params, context window exceeds limit (2013)",
  "the request exceeds the available context size. try increasing the context size or enable context shift",
  "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
  "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  "Please reduce the length of the messages or completion.",
  "too many tokens: total number of tokens in the prompt cannot exceed 4081",
  "The number of tokens to keep from the initial prompt is greater than the context length.",
];

describe("failure classification", () => {
  it("AG-076 goes by status, then by words", () => {
    const table: [number, unknown, string][] = [
      [401, {}, "AUTH"],
      [403, said("no access"), "AUTH"],
      [402, {}, "QUOTA"],
      [429, {}, "RATE_LIMIT"],
      [429, said("You exceeded your current quota, please check your plan"), "QUOTA"],
      [400, said("bad"), "INVALID_REQUEST"],
      [400, said("Your credit balance is too low"), "QUOTA"],
      [400, said("prompt is too long: 210000 tokens > 200000 maximum"), "CONTEXT_WINDOW_EXCEEDED"],
      [400, said("x", "context_length_exceeded"), "CONTEXT_WINDOW_EXCEEDED"],
      [413, said("Request too large"), "INVALID_REQUEST"],
      ...overflows.map((words): [number, unknown, string] => [400, said(words), "CONTEXT_WINDOW_EXCEEDED"]),
      [400, said("max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens"), "INVALID_REQUEST"],
      [400, said("max_tokens is too large: 300000. This model supports at most 16384 completion tokens."), "INVALID_REQUEST"],
      [400, said("The input field 'temperature' exceeds the maximum allowed value"), "INVALID_REQUEST"],
      [429, said("This request would exceed your organization's rate limit of 30,000 input tokens per minute"), "RATE_LIMIT"],
      [413, said("maximum context length is 8192 tokens"), "CONTEXT_WINDOW_EXCEEDED"],
      [404, {}, "HTTP_404"],
      [408, {}, "TIMEOUT"],
      [418, "<html>teapot</html>", "HTTP_418"],
      [500, {}, "SERVER"],
      [529, said("Overloaded"), "SERVER"],
    ];
    for (const [status, body, code] of table) assert.equal(http(status, body).code, code, `${status} ${JSON.stringify(body)}`);
  });

  it("an error that comes with status 200 is judged by its words, a page is no answer", () => {
    const with200 = (body: unknown) =>
      refusedAnswer({ status: 200, isOk: true, headers: new Headers() }, typeof body === "string" ? body : JSON.stringify(body), scrub)
        .code;
    assert.equal(with200(said("No such key", "authentication_error")), "AUTH");
    assert.equal(with200(said("Too many requests")), "RATE_LIMIT");
    assert.equal(with200(said(overflows[0] ?? "")), "CONTEXT_WINDOW_EXCEEDED");
    assert.equal(with200(said("broken")), "SERVER");
    for (const page of ["<html>error</html>", '{"error":', "{}", "null", '"error"']) assert.equal(with200(page), "MALFORMED_RESPONSE");
  });

  it("keeps status, request id and the wait the provider asks for", () => {
    const { status, requestId, providerRetryAfterMs } = http(429, {}, { "retry-after": "2", "x-request-id": "r1" });
    assert.deepEqual({ status, requestId, providerRetryAfterMs }, { status: 429, requestId: "r1", providerRetryAfterMs: 2_000 });
  });

  it("quotes the provider within bounds, without key, markup or control characters", () => {
    const quoted = http(400, said(`first\u0007 sk-secret-key ${"x".repeat(5_000)}`)).message;
    assert.ok(quoted.includes("first [key]") && quoted.length < 500);
    assert.ok(!http(500, "<html><script>alert(1)</script>").message.includes("<"));
    assert.ok(!http(401, said("Incorrect key sk-sec***key")).message.includes("sk-"));
  });

  it("reads Retry-After as seconds or as a date", () => {
    assert.equal(retryAfterMs("2", 0), 2_000);
    assert.equal(retryAfterMs("0.5", 0), 500);
    assert.equal(retryAfterMs("Thu, 01 Jan 1970 00:01:00 GMT", 30_000), 30_000);
    // however long: it is more than anybody waits, and not no wish at all
    for (const long of ["1000000000", "9".repeat(30), "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT"]) {
      const wait = retryAfterMs(long, 0);
      assert.ok(wait !== undefined && wait > 86_400_000 && Number.isSafeInteger(wait), long);
    }
    for (const bad of [null, "", "0", "-3", "soon", "Thu, 01 Jan 1970 00:00:01 GMT"]) assert.equal(retryAfterMs(bad, 30_000), undefined);
  });

  it("AG-070 thrown things become failures; a cause that points at itself ends", () => {
    const loop = new Error("a");
    loop.cause = loop;
    assert.equal(failureOfThrown(loop).code, "UNKNOWN");
    assert.equal(failureOfThrown("text").code, "UNKNOWN");
    assert.equal(failureOfThrown(null).code, "UNKNOWN");
    assert.equal(failureOfThrown(new TypeError("terminated")).code, "TRANSPORT");
    assert.equal(failureOfThrown(new Error("x", { cause: { code: "ENOTFOUND" } })).code, "TRANSPORT");
    const refused = failureOfThrown(new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }));
    assert.match(refused.message, /nothing listens at its address/);
    assert.equal(failureOfThrown(new Error("x", { cause: { code: "UND_ERR_BODY_TIMEOUT" } })).code, "TIMEOUT");
    assert.ok(!failureOfThrown(new Error("sk-secret-key")).message.includes("sk-"));
  });
});

describe("usage", () => {
  it("AG-072 sums to what was reported, cache hits once", () => {
    const usage = disjointUsage({ inputTotal: 1_000, cacheRead: 600, cacheWrite: 100, output: 50, reasoning: 20 });
    assert.deepEqual(usage, { inputTokens: 300, cacheReadTokens: 600, cacheWriteTokens: 100, outputTokens: 50, reasoningTokens: 20 });
  });
  it("makes nonsense harmless and nothing null", () => {
    assert.deepEqual(disjointUsage({ inputTotal: 10, cacheRead: 50, output: Number.NaN, reasoning: 9 }), {
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 50,
    });
    assert.equal(disjointUsage({}), null);
    assert.equal(disjointUsage({ inputTotal: "7", output: -1 }), null);
  });
});
