import { globSync } from "node:fs";
import path from "node:path";
import { inRoot, projectNode, root } from "./paths.mjs";
import { run } from "./run.mjs";

const testFiles = ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "infra/**/test/**/*.test.{ts,mjs}"];

/** What a level's files end in and how long one test may take. */
const kinds = {
  unit: { isIts: (file) => !/\.(db|docker)\.test\./.test(file), limitMs: 240_000 },
  db: { isIts: (file) => file.includes(".db.test."), limitMs: 600_000 },
  docker: { isIts: (file) => file.includes(".docker.test."), limitMs: 600_000 },
};

/** The test files of a level, relative to the checkout; `filters` are parts of paths. */
export function listTests(level, filters = []) {
  return globSync(testFiles, { cwd: root, exclude: (name) => String(name).includes("node_modules") })
    .filter(kinds[level].isIts)
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
}

/**
 * Runs node:test files and counts their tests. A file without a test, and a crash of the runner, are failures.
 * @param {{ level: "unit" | "db" | "docker", files: string[], env: object, tally: ReturnType<import("./tally.mjs").createTally> }} options
 * @returns a remark for the progress line
 */
export async function runNodeTests({ level, files, env, tally }) {
  if (files.length === 0) return "no test files";
  const args = [
    "--test",
    `--test-timeout=${kinds[level].limitMs}`,
    "--test-concurrency=2",
    `--test-reporter=${inRoot("infra", "scripts", "lib", "test-reporter.mjs")}`,
    "--test-reporter-destination=stdout",
    ...files,
  ];
  const result = await run(projectNode, args, { cwd: root, env, limitMs: 7_200_000 });
  const { records, noise } = parse(result.stdout);
  const failures = records.filter(isFailure);
  for (const { kind, name, file, why } of records) {
    if (kind === "skip") tally.skip(titled(file, name), why);
    else if (kind === "pass" && !isFile(name)) tally.pass();
  }
  for (const failure of failures) show(failure, records, tally);
  // a file that could not be loaded has no summary of its own, only the failure
  const ended = new Set(records.filter(({ kind, name }) => kind === "end" || isFile(name ?? "")).map(({ file }) => file));
  for (const file of files.filter((name) => !ended.has(path.resolve(root, name)))) {
    tally.fail(`${file}: the run ended without a word about it`);
  }
  if (result.code !== 0 && failures.length === 0) {
    tally.fail(`${level}: the test runner ended with code ${result.code}`);
    process.stdout.write(`${noise}\n${result.output.slice(-3000)}\n`);
  }
  return `${records.filter(({ kind }) => kind === "pass").length} passed, ${failures.length} failed in ${files.length} files`;
}

const isFile = (name) => /\.test\.(ts|mjs)$/.test(name);
/** A file that ran without a test of its own is reported as one test named like the file. */
const isFailure = ({ kind, name }) => kind === "fail" || (kind === "pass" && isFile(name));
const titled = (file, name) => `${file ? path.relative(root, file) : "?"}: ${name}`;

function show({ name, file, error }, records, tally) {
  tally.fail(titled(file, name));
  const output = records.filter((record) => record.kind === "output" && record.file === file).map(({ text }) => text);
  process.stdout.write(`\n✖ ${titled(file, name)}\n${error ?? "The file has no test."}\n`);
  if (output.length > 0) process.stdout.write(`Output of the file:\n${output.join("").slice(-4000)}\n`);
}

function parse(stdout) {
  const records = [];
  const noise = [];
  for (const line of stdout.split("\n")) {
    try {
      if (line) records.push(JSON.parse(line));
    } catch {
      noise.push(line); // written past the reporter
    }
  }
  return { records, noise: noise.join("\n") };
}
