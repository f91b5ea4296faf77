import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventDraft } from "@gantry/contracts";
import { redacted, secretRedactor } from "../src/session/redact-secrets.ts";

const key = "sk-live-4f3a9c0e1b7d8246";
const said = (text: string): EventDraft => ({
  type: "tool/result",
  surfaceOp: "append",
  sourceEventSeqs: [1],
  data: {
    turn: 1,
    step: 1,
    message: {
      id: "m",
      role: "user",
      content: [{ type: "tool-result", toolCallId: "c", content: [{ type: "text", text }], isError: false }],
      source: { kind: "tool", callId: "c" },
    },
    meta: { lines: [{ text }] },
  },
});

test("CP-35 a known key is cut out wherever it stands in an event: as it is, in hex, in base64 at each alignment", () => {
  const redact = secretRedactor(new Set([key]));
  const forms = ["", "x", "xy", "xyz"].map((before) => Buffer.from(`${before}${key} and more`).toString("base64"));
  for (const form of [`KEY=${key}\n`, `${key}${key}`, Buffer.from(key).toString("hex"), ...forms]) {
    const text = JSON.stringify(redact(said(form)));
    assert.ok(text.includes(redacted), form);
    assert.ok(!text.includes(key) && !text.includes(Buffer.from(key).toString("hex")), text);
    for (const [encoded] of text.matchAll(/[A-Za-z0-9+/]{12,}/g))
      assert.ok(!Buffer.from(encoded, "base64").includes(key.slice(3, -3)), text);
  }
});

test("CP-35 a known key is cut out in the forms of addresses and in capital hex too", () => {
  const odd = "sk~live?4f3a9c+0e1b/7d8246>>~~??";
  const redact = secretRedactor(new Set([odd]));
  const forms = ["", "x", "xy"].map((before) => Buffer.from(`${before}${odd} and more`).toString("base64url"));
  for (const form of [`https://x/?key=${encodeURIComponent(odd)}`, Buffer.from(odd).toString("hex").toUpperCase(), ...forms]) {
    const text = JSON.stringify(redact(said(form)));
    assert.ok(text.includes(redacted), form);
    for (const [encoded] of text.matchAll(/[A-Za-z0-9_-]{12,}/g))
      assert.ok(!Buffer.from(encoded, "base64url").includes(odd.slice(3, -3)), text);
  }
});

test("CP-35 other text stays the object it was, a key that is learnt later counts, and placeholders people enter as a key do not", () => {
  const secrets = new Set(["not-needed", "ollama", "password1234567"]);
  const redact = secretRedactor(secrets);
  const event = said(`not-needed ollama password1234567 ${key}`);
  assert.equal(redact(event), event);
  secrets.add(key);
  assert.deepEqual(redact(event), said(`not-needed ollama password1234567 ${redacted}`));
  assert.ok(Object.isFrozen(redact(event)));
});
