import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isAppError, type OrgId } from "@gantry/contracts";
import { noAttachments } from "../src/attachments/store.ts";
import { hostFor } from "../src/host/host-for.ts";
import { runForOrg } from "../src/host/org-context.ts";
import { createSettingsStore } from "../src/settings/store.ts";

const [own, foreign] = ["a", "b"] as unknown as [OrgId, OrgId];

function openHost() {
  const errors: object[] = [];
  const lines: string[] = [];
  const crossings: string[] = [];
  const drop = () => {};
  const logger = {
    debug: drop,
    info: (_: object, text?: string) => void lines.push(text ?? ""),
    warn: drop,
    error: (about: object) => void errors.push(about),
  };
  const host = hostFor(own, {
    logger,
    credentials: { resolve: async (providerId) => `key of ${providerId}` },
    settings: createSettingsStore().store,
    attachments: noAttachments,
    onMismatch: (capability) => crossings.push(capability),
  });
  return { host, errors, lines, crossings };
}
const isMismatch = (error: unknown) => isAppError(error, "TENANT_MISMATCH");

test("M-10 a capability works in its org's own work, also behind timers and promises", async () => {
  const { host, crossings } = openHost();
  const key = await runForOrg(own, async () => {
    await nextTurn();
    return host.credentials.resolve("p", "https://models.test");
  });
  assert.deepEqual([key, crossings], ["key of p", []]);
});

test("KN-106 in another org's work, and in nobody's, it throws TENANT_MISMATCH, is counted, and tells an alarm at level error", async () => {
  const { host, errors, crossings } = openHost();
  const inForeign = runForOrg(foreign, async () => {
    await nextTurn();
    return host.credentials.resolve("p", "https://models.test");
  });
  await assert.rejects(inForeign, isMismatch);
  assert.throws(() => runForOrg(foreign, () => host.settings.section("models")), isMismatch);
  assert.throws(() => host.credentials.resolve("p", "https://models.test"), isMismatch);
  assert.deepEqual(crossings, ["credentials.resolve", "settings.section", "credentials.resolve"]);
  assert.deepEqual(errors[0], { alarm: "tenant_mismatch", owner: own, caller: foreign, capability: "credentials.resolve" });
  assert.equal(errors.length, 3);
});

test("a nested piece of work belongs to its own org and gives the outer one back", () => {
  const { host } = openHost();
  runForOrg(own, () => {
    assert.throws(() => runForOrg(foreign, () => host.credentials.resolve("p", "https://models.test")), isMismatch);
    assert.equal(host.settings.section("models"), undefined);
  });
});

test("a line that another org's work writes is kept and reported", () => {
  const { host, lines, crossings } = openHost();
  runForOrg(foreign, () => host.logger.info({}, "hello"));
  host.logger.info({}, "from a socket");
  assert.deepEqual([lines, crossings], [["hello", "from a socket"], ["logger"]]);
});

test("M-2 what a root is given cannot be changed and leads nowhere else", () => {
  const { host } = openHost();
  for (const capability of [host, host.credentials, host.settings, host.logger]) assert.ok(Object.isFrozen(capability));
  assert.deepEqual(Object.keys(host.credentials), ["resolve"]);
  assert.deepEqual(Object.keys(host.settings).sort(), ["section", "watch"]);
});
