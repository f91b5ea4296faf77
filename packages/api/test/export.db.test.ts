import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "@gantry/platform";
import { openApi } from "./support.ts";

const api = await openApi();

test("EXP-1 a download over HTTP: saved, never shown as a page, and complete", async () => {
  const tenant = await api.createTenant();
  const who = await api.signIn(tenant.userId);
  const response = await api.fetch(who, `/api/export?org=${tenant.slug}&session=${tenant.sessionId}&format=html`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="session-[0-9a-f]{8}\.html"$/);
  assert.match(response.headers.get("content-security-policy") ?? "", /^sandbox/);
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.match(await response.text(), /^<!doctype html>[\s\S]*<\/html>\n$/);
});

test("EXP-1 SC-T1 what fails before the first byte is an error with its status; foreign and unknown sessions are one answer", async () => {
  const [tenant, other] = [await api.createTenant(), await api.createTenant()];
  const who = await api.signIn(tenant.userId);
  const ask = async (query: string, asker: typeof who | null = who, headers: Record<string, string> = {}) => {
    const response = await api.fetch(asker, `/api/export?${query}`, { headers });
    return `${response.status} ${await response.text()}`;
  };
  const of = (org: string, session: string) => `org=${org}&session=${session}&format=jsonl`;
  const foreign = await ask(of(tenant.slug, other.sessionId));
  assert.match(foreign, /^404 .*"NOT_FOUND"/);
  assert.equal(foreign, await ask(of(tenant.slug, newId())));
  assert.equal(await ask(of(other.slug, other.sessionId)), await ask(of("no-such-org", other.sessionId)));
  assert.match(await ask(of(tenant.slug, tenant.sessionId), null), /^401 /);
  assert.match(await ask(`org=${tenant.slug}&session=${tenant.sessionId}&format=pdf`), /^400 /);
  assert.match(await ask(of(tenant.slug, tenant.sessionId), who, { "sec-fetch-site": "cross-site" }), /^403 /);
});

test("EXP-1 a client that goes away makes room for the next download", async () => {
  const tenant = await api.createTenant();
  const who = await api.signIn(tenant.userId);
  const path = `/api/export?org=${tenant.slug}&session=${tenant.sessionId}&format=jsonl`;
  for (let round = 0; round < 3; round++) {
    const gone = new AbortController();
    await api.fetch(who, path, { signal: gone.signal });
    gone.abort();
  }
  let status = 0;
  for (const until = Date.now() + 60_000; status !== 200 && Date.now() < until; ) {
    const response = await api.fetch(who, path);
    status = response.status;
    await response.text();
  }
  assert.equal(status, 200);
});
