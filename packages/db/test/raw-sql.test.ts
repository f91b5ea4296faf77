import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const sources = globSync("{packages,apps}/*/src/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !file.includes("/generated/") && !file.startsWith("packages/testing/"))
  .map((file) => ({ file, text: readFileSync(`${root}${file}`, "utf8") }));

const sql = /\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CROSS JOIN|WHERE|set_config)\b/;
/** A call with nothing but texts written there gives text of the program too. */
const callOfTexts = /^(\w+)(?:\.replace)?\((?:"[^"]*"(?:, )?)+\)$/;
/** A parameter that is SQL: of a private function, whose callers in its file hand it text of their own. */
const handedOn = new Set(["packages/services/src/session/query/query-scope.ts condition", "packages/db/src/append-statement.ts isHeld"]);

test("SC-T5 no statement is put together from values: the ways to do so are not used, and templates of SQL hold constants of the program only", () => {
  assert.ok(sources.length > 500);
  const found: string[] = [];
  for (const { file, text } of sources) {
    for (const [way] of text.matchAll(/\$(?:query|execute)RawUnsafe|\bPrisma\.raw\b|\brawUnsafe\b/g)) found.push(`${file} ${way}`);
    const constants = new Set([...text.matchAll(/^(?:export )?const (\w+)/gm), ...text.matchAll(/^import \{([^}]*)\}/gm)].flatMap(namesOf));
    for (const [, before = "", template = ""] of text.matchAll(/(\$(?:query|execute)Raw(?:<[^`]*>)?)?`([^`]*)`/g)) {
      if (before !== "" || !sql.test(template)) continue;
      for (const [, expression = ""] of template.matchAll(/\$\{([^}]*)\}/g))
        if (!constants.has(callOfTexts.exec(expression)?.[1] ?? expression) && !handedOn.has(`${file} ${expression}`))
          found.push(`${file} ${expression}`);
    }
  }
  assert.deepEqual(found, []);
});

const namesOf = ([, names = ""]: RegExpMatchArray): string[] => names.split(",").map((name) => name.replace(/^\s*type /, "").trim());
