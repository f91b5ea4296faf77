import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "@gantry/contracts";
import { overrideEnv } from "../src/env.ts";
import { createLogger } from "../src/logger.ts";

overrideEnv({ LOG_LEVEL: "info" });

function logged(write: (log: ReturnType<typeof createLogger>) => void): { text: string; line: Record<string, unknown> } {
  const lines: string[] = [];
  write(createLogger("test", { write: (line) => lines.push(line) }));
  const text = lines.join("");
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

describe("logger", () => {
  test("SC-L3 control characters and marks that reorder text stay inside one line, escaped", () => {
    const hostile = "a\nb\r\u001b[31m\u007f\u009b\u2028\u202e\u2066z";
    const { text, line } = logged((log) => log.info({ name: hostile }, hostile));
    assert.equal(text.match(/\n/g)?.length, 1);
    assert.doesNotMatch(text.trimEnd(), /[^\u0020-\u007e]/);
    assert.equal(line.msg, hostile);
  });

  test("SC-K1 fields with a secret's name are masked", () => {
    const canary = "canary-7f3a";
    const { text } = logged((log) =>
      log.info(
        { password: canary, provider: { apiKey: canary, headers: { authorization: canary } }, env: { GANTRY_MASTER_KEY: canary } },
        "saved",
      ),
    );
    assert.ok(!text.includes(canary), text);
  });

  test("SC-K1 an error keeps code, message, frames and causes, and drops what a driver hangs on it", () => {
    const driver = Object.assign(new Error("duplicate key"), { code: "23505", detail: "Key (email)=(canary@x) already exists" });
    const { text, line } = logged((log) => log.error({ err: new AppError("CONFLICT", "Taken.", { cause: driver }) }, "failed"));
    assert.ok(!text.includes("canary"));
    const err = line.err as { code: string; stack: string; cause: { code: string } };
    assert.deepEqual([err.code, err.cause.code], ["CONFLICT", "23505"]);
    assert.match(err.stack, /logger\.test\.ts/);
  });
});
