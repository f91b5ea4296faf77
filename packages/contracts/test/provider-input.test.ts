import assert from "node:assert/strict";
import { test } from "node:test";
import { SaveProvider } from "../src/index.ts";

test("SC-T5 the address of a provider is text that the database takes: no NUL, no half of a character", () => {
  const saved = (baseUrl: string) =>
    SaveProvider.safeParse({ org: "acme", slug: "fresh", name: "Fresh", kind: "demo", baseUrl, models: ["scripted"] });
  assert.equal(saved("a\u0000b").success, false);
  assert.equal(saved("a\ud800b").data?.baseUrl, "a\ufffdb");
  assert.equal(saved("https://models.example/v1").data?.baseUrl, "https://models.example/v1");
});
