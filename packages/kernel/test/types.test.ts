import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const file = fileURLToPath(new URL("./types.ts", import.meta.url));
const source = readFileSync(file, "utf8");

/** Compiles types.ts with `text` as its content, and answers the lines that have errors. */
function errorLines(text: string): number[] {
  const base = fileURLToPath(new URL("../../../tsconfig.base.json", import.meta.url));
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(base, ts.sys.readFile).config, ts.sys, ".");
  options.incremental = false;
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile;
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, version) => {
    const content = host.readFile(name);
    return content === undefined ? undefined : ts.createSourceFile(name, content, version);
  };
  const program = ts.createProgram([file], options, host);
  const errors = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return errors.map((error) => error.file?.getLineAndCharacterOfPosition(error.start ?? 0).line ?? -1);
}

it("KN-026 unknown event, wrong argument, wrong config and missing carrier are compile errors, and nothing else is", () => {
  assert.deepEqual(errorLines(source), []);
  const expected = source.split("\n").flatMap((line, index) => (line.includes("@ts-expect-error") ? [index + 1] : []));
  assert.ok(expected.length >= 15);
  assert.deepEqual(errorLines(source.replaceAll("@ts-expect-error", "expected:")), expected);
});
