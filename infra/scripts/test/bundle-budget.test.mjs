import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { checkBudgets, firstLoad } from "../lib/bundle-budget.mjs";
import { createTally } from "../lib/tally.mjs";

/** Noise: gzip does not make it smaller, so bytes are bytes. */
const script = (kB) => randomBytes(kB * 1_000);

function build(t, pageKb) {
  const dist = mkdtempSync(path.join(tmpdir(), "gantry-build-"));
  t.after(() => rmSync(dist, { recursive: true }));
  const put = (file, content) => {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    writeFileSync(path.join(dist, file), content);
  };
  put("build-manifest.json", JSON.stringify({ rootMainFiles: ["static/base.js"] }));
  put("static/base.js", script(100));
  put("static/layout.js", script(20));
  put("static/page.js", script(pageKb));
  put("static/later.js", script(500));
  for (const page of ["/[org]/s/[session]", "/[org]"]) {
    const entryJSFiles = { layout: ["static/layout.js"], page: ["static/layout.js", "static/page.js"] };
    const manifest = { entryJSFiles, clientModules: { lazy: { chunks: ["static/later.js"] } } };
    const text = `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};\nglobalThis.__RSC_MANIFEST["${page}/page"] = ${JSON.stringify(manifest)};`;
    put(`server/app${page}/page_client-reference-manifest.js`, text);
  }
  return dist;
}

test("a page's first load is the scripts of its layouts and its own, each once, and nothing that comes later", (t) => {
  const files = firstLoad("/[org]/s/[session]", build(t, 30));
  assert.deepEqual(
    files.map(({ file }) => file),
    ["static/base.js", "static/page.js", "static/layout.js"],
  );
});

test("a page over its budget fails by name; one within it passes", (t) => {
  const within = createTally();
  checkBudgets(within, build(t, 70));
  assert.equal(within.failures, 0);
  const over = createTally();
  checkBudgets(over, build(t, 90));
  assert.equal(over.failures, 2);
  assert.match(over.report(), /\/\[org\]\/s\/\[session\] loads 21\d\.\d kB of script at first, against 200\.0 kB/);
});
