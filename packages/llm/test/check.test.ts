import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Reply, type ScriptedModel, startScriptedModel } from "@gantry/testing";
import { type CheckResult, checkProvider, type ProviderKind } from "../src/check.ts";

const key = "key-0123456789abcdef";

for (const kind of ["openai-compatible", "anthropic"] as const satisfies ProviderKind[]) {
  describe(`provider check, ${kind}`, () => {
    let server: ScriptedModel;
    before(async () => {
      server = await startScriptedModel(() => ({ text: "OK" }), { key });
    });
    after(() => server.close());

    const check = (reply: Reply, fields: Partial<Parameters<typeof checkProvider>[0]> = {}): Promise<CheckResult> => {
      server.use(() => reply);
      return checkProvider({ kind, baseUrl: server.url, key, model: "m", allowInsecure: true, ...fields });
    };
    const code = (result: CheckResult) => (result.ok ? "ok" : result.code);

    it("is content with the first event and hangs up", async () => {
      assert.deepEqual(await check({ text: "OK and much more", fault: { kind: "silent", afterChunks: 2 } }), { ok: true });
      assert.equal(await server.requests.at(-1)?.ended, "client");
      assert.equal(server.requests.at(-1)?.model, "m");
    });

    it("says which thing is wrong, without the key", async () => {
      const wrong = await check({}, { key: "wrong-key-abcdefgh" });
      assert.equal(code(wrong), "AUTH");
      assert.ok(!JSON.stringify(wrong).includes("wrong-key"));
      assert.equal(code(await check({ fault: { kind: "status", status: 404, message: "no model m" } })), "HTTP_404");
      assert.equal(code(await check({ fault: { kind: "html" } })), "MALFORMED_RESPONSE");
      assert.equal(code(await check({ fault: { kind: "garbage" } })), "MALFORMED_RESPONSE");
      assert.equal(code(await check({ fault: { kind: "error-event", message: "x", type: "overloaded_error" } })), "SERVER");
      assert.equal(code(await check({ fault: { kind: "status", status: 302, location: "http://127.0.0.1:1/" } })), "HTTP_302");
      const echoed = await check({ fault: { kind: "status", status: 400, message: `header ${key}` } });
      assert.ok(!echoed.ok && !echoed.message.includes(key));
    });

    it("refuses plain http and inside addresses unless the installation allows them, without a request", async () => {
      const before = server.requests.length;
      assert.equal(code(await check({}, { allowInsecure: false })), "INVALID_REQUEST");
      assert.equal(server.requests.length, before);
    });

    it("refuses a key that is no header value and does not repeat it", async () => {
      const result = await check({}, { key: "line\nbreak-secret" });
      assert.equal(code(result), "INVALID_CREDENTIAL");
      assert.ok(!JSON.stringify(result).includes("secret"));
    });

    it("can be cancelled", async () => {
      const abort = new AbortController();
      const at = server.requests.length;
      const result = check({ fault: { kind: "silent", afterChunks: 0 } }, { signal: abort.signal });
      await server.arrival(at);
      abort.abort();
      assert.equal(code(await result), "ABORTED");
    });

    it("an address where nothing listens is TRANSPORT", async () => {
      const gone = await startScriptedModel(() => ({}));
      await gone.close();
      assert.equal(code(await check({}, { baseUrl: gone.url })), "TRANSPORT");
    });
  });
}
