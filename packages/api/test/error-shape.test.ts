import assert from "node:assert/strict";
import { test } from "node:test";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { describeError } from "../src/error-shape.ts";

const Input = z.strictObject({ name: z.string().min(2), port: z.int(), extra: z.strictObject({}).optional() });

function answerTo(input: unknown): string {
  const cause = Input.safeParse(input).error;
  return describeError(new TRPCError({ code: "BAD_REQUEST", cause })).message;
}

test("CP-34 a refused input is told field by field, and nothing of it is repeated", () => {
  const cases = [
    [{ name: "ok", port: 1, secretWord: 1 }, "The input is not accepted: one of its keys is not known."],
    [{ name: "ok", port: 1, extra: { secretWord: 1 } }, "The input is not accepted: extra: one of its keys is not known."],
    [{ name: "s", port: "secretWord" }, "The input is not accepted: name: must have at least 2 characters; port: must be a number."],
  ] as const;
  for (const [input, message] of cases) assert.equal(answerTo(input), message);
});
