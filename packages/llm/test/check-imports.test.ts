import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { it } from "node:test";

it("the provider check loads no kernel, no adapter and no model SDK: web processes import it", async () => {
  const loaded: string[] = [];
  const hooks = registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
  await import("../src/check.ts");
  hooks.deregister();
  const foreign = loaded.filter((url) =>
    /\/packages\/(kernel|agent|tools|sandbox|llm\/src\/(providers|plugins))\/|@ai-sdk|cordis/.test(url),
  );
  assert.ok(loaded.some((url) => url.endsWith("/classify.ts")));
  assert.deepEqual(foreign, []);
});
