import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { aptInstall, canInstall } from "./apt.mjs";
import { inRoot, projectNode } from "./paths.mjs";
import { findProgram, run } from "./run.mjs";

const web = inRoot("apps", "web");
const config = path.join(web, "playwright.config.ts");

export const hasBrowserTests = () => existsSync(config);

/** The system's Chromium, installed by apt when this may be done; null when there is none. */
export async function ensureChromium() {
  const find = () => findProgram("chromium") ?? findProgram("chromium-browser") ?? findProgram("google-chrome");
  if (!find() && canInstall()) await aptInstall(["chromium"]);
  return find();
}

/**
 * Runs the Playwright tests against the started stack and counts them.
 * @param {{ env: object, reportFile: string, filters: string[], tally: ReturnType<import("./tally.mjs").createTally> }} options
 * @returns a remark for the progress line
 */
export async function runBrowserTests({ env, reportFile, filters, tally }) {
  const cli = inRoot("node_modules", "@playwright", "test", "cli.js");
  const result = await run(projectNode, [cli, "test", "--config", config, ...filters], {
    cwd: web,
    env: { ...env, E2E_REPORT_FILE: reportFile },
    limitMs: 7_200_000,
  });
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : null;
  const tests = report ? report.suites.flatMap((suite) => testsOf(suite, [])) : [];
  for (const { name, status } of tests) {
    if (status === "skipped") tally.skip(name);
    else if (status === "unexpected") tally.fail(name);
    else tally.pass();
    if (status === "flaky") process.stdout.write(`passed on the second try: ${name}\n`);
  }
  const failed = tests.filter(({ status }) => status === "unexpected").length;
  if (result.code !== 0) process.stdout.write(`${result.output.slice(-12_000)}\n`);
  if (result.code !== 0 && failed === 0) tally.fail(`e2e: Playwright ended with code ${result.code}`);
  return `${tests.filter(({ status }) => status === "expected").length} passed, ${failed} failed`;
}

/** `flaky` (passed on a retry) counts as passed, and is named. */
function testsOf(suite, above) {
  const titles = [...above, suite.title];
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map(({ status }) => ({ status, name: [...titles, spec.title].filter(Boolean).join(" › ") })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, titles))];
}
