import { readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { inRoot } from "./paths.mjs";

const kB = 1_000;
/** The most script a page may load before it works, in bytes as gzip sends them: where people wait for work to begin. */
const budgets = { "/[org]/s/[session]": 200 * kB, "/[org]": 200 * kB };

/**
 * Script of a page's first load in a build: what every page starts with, its layouts, what stands in for it when it fails, itself. Scripts
 * that it asks for later do not count.
 * @param {string} page its route, as in `/[org]/w`
 * @returns {{ file: string, bytes: number }[]} gzipped, the largest first
 */
export function firstLoad(page, dist = inRoot("apps", "web", ".next")) {
  const { rootMainFiles } = JSON.parse(readFileSync(path.join(dist, "build-manifest.json"), "utf8"));
  const entries = Object.values(readClientManifest(dist, page).entryJSFiles).flat();
  const sizes = [...new Set([...rootMainFiles, ...entries])].map((file) => ({
    file,
    bytes: gzipSync(readFileSync(path.join(dist, file))).length,
  }));
  return sizes.sort((a, b) => b.bytes - a.bytes);
}

/** Holds the built pages to their budgets; each counts as one test. @returns a remark for the progress line */
export function checkBudgets(tally, dist = undefined) {
  const remarks = Object.entries(budgets).map(([page, limit]) => {
    const files = firstLoad(page, dist);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes <= limit) tally.pass();
    else {
      tally.fail(`${page} loads ${show(bytes)} of script at first, against ${show(limit)}`);
      process.stdout.write(`${files.map((file) => `${show(file.bytes)} ${file.file}`).join("\n")}\n`);
    }
    return `${page} ${show(bytes)}`;
  });
  return remarks.join(", ");
}

/** The build's list of client modules is a script that sets one global. */
function readClientManifest(dist, page) {
  const script = readFileSync(path.join(dist, "server", "app", page, "page_client-reference-manifest.js"), "utf8");
  const context = {};
  runInNewContext(script, Object.assign(context, { globalThis: context }));
  return context.__RSC_MANIFEST[`${page}/page`];
}

const show = (bytes) => `${(bytes / kB).toFixed(1)} kB`;
