import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Sources of plugins and of what they share: one process loads them once for all orgs. */
const places = ["packages/agent/src", "packages/tools/src", "packages/llm/src", "packages/sandbox/src/plugins"];
const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** What a module keeps in a form that somebody may write to later. Tables that are filled where they stand, and weak ones, which hold on to nobody, are none. */
function stateOf(source: string): string[] {
  const file = ts.createSourceFile("module.ts", source, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) => {
    if (ts.isClassDeclaration(statement)) return staticsOf(statement);
    if (!ts.isVariableStatement(statement)) return [];
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    const declared = statement.declarationList.declarations;
    return declared.filter((one) => !isConst || isEmptyStore(one.initializer)).map(({ name }) => name.getText());
  });
}

const staticsOf = (statement: ts.ClassDeclaration): string[] =>
  statement.members.flatMap((member) => {
    if (!ts.isPropertyDeclaration(member) || !member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)) return [];
    const isReadonly = member.modifiers.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword);
    return isReadonly && !isEmptyStore(member.initializer) ? [] : [member.name.getText()];
  });

/** An empty table at the top of a module is there to be filled. */
function isEmptyStore(value: ts.Expression | undefined): boolean {
  if (!value) return false;
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
  if (ts.isObjectLiteralExpression(value)) return value.properties.length === 0;
  return ts.isNewExpression(value) && /^(Map|Set|Array)$/.test(value.expression.getText()) && (value.arguments ?? []).length === 0;
}

test("M-4 no package of plugins keeps state in a module, where orgs would share it", () => {
  const files = places.flatMap((place) => globSync(`${place}/**/*.ts`, { cwd: repository }));
  assert.ok(files.length > 200, `${files.length} files`);
  const found = files.flatMap((file) => {
    const names = stateOf(readFileSync(`${repository}/${file}`, "utf8"));
    // a plugin's list of services, which may be empty
    return names.filter((name) => name !== "inject").map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(found, []);
});

test("M-4 this is what would be found", () => {
  const kept = `export const a = new Map<string, number>(); let b = 0; var c; const d: string[] = []; const e = {};
    class F { static count = 0; static readonly seen = new Set<string>(); static readonly max = 3; }`;
  assert.deepEqual(stateOf(kept), ["a", "b", "c", "d", "e", "count", "seen"]);
  assert.deepEqual(
    stateOf("const a = new Map([[1, 2]]); const b = new WeakMap(); const c = [1]; function f() { let d = 0; return d; }"),
    [],
  );
});
