import assert from "node:assert/strict";
import { test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { bodyChunks } from "../src/http/body-chunks.ts";

test("an upload whose client leaves is the client's fault, not one for the operator", async () => {
  const leaves = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (controller.desiredSize === 0) return;
      controller.enqueue(Buffer.from("PK"));
      controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    },
  });
  const request = new Request("http://localhost/", { method: "POST", body: leaves, duplex: "half" } as RequestInit);
  const body = bodyChunks(request);
  await assert.rejects(
    async () => {
      for await (const _ of body);
    },
    (error) => isAppError(error, "BAD_REQUEST") && /broken off/.test(error.message),
  );
  await body.drain();
});
