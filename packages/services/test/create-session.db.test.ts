import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CreateSession } from "@gantry/contracts";
import { pendingCommands, standardPresetId, withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { createSession } from "../src/session/create-session.ts";
import { getSession } from "../src/session/get-session.ts";
import { listEvents } from "../src/session/list-events.ts";
import { listSessions } from "../src/session/list-sessions.ts";
import { sendMessage } from "../src/session/send-message.ts";
import { openWriter } from "./session-writer.ts";
import { openWorld } from "./support.ts";

const world = await openWorld();

async function start() {
  const tenant = await world.createTenant();
  const input: CreateSession = { org: tenant.slug, workspaceId: tenant.workspaceId, prompt: "build it", clientKey: newId() };
  return { tenant, ctx: world.contextOf(tenant), input };
}

describe("starting a session", () => {
  test("SES-1 the header is pinned to preset, revision and the default model, and the first prompt waits", async () => {
    const { tenant, ctx, input } = await start();
    const { sessionId } = await createSession(ctx, input);
    const session = await getSession(ctx, { org: input.org, sessionId });
    assert.deepEqual(
      [session.presetId, session.presetRevision, session.provider, session.model, session.title],
      [standardPresetId, 1, "demo", "scripted", null],
    );
    const [first] = await pendingCommands(tenant.orgId, sessionId);
    assert.equal(first?.payload.kind === "send" && first.payload.text, "build it");
    assert.deepEqual(
      (await world.audit(tenant.orgId)).map((row) => row.action),
      ["session.create"],
    );
  });

  test("a repeat is the same session with one prompt, one after the other and all at once", async () => {
    const { tenant, ctx, input } = await start();
    const first = await createSession(ctx, input);
    const repeats = await Promise.all(Array.from({ length: 10 }, () => createSession(ctx, input)));
    assert.ok(repeats.every((repeat) => repeat.sessionId === first.sessionId));
    const parallel = await Promise.all(Array.from({ length: 10 }, () => createSession(ctx, { ...input, clientKey: "parallel-1" })));
    assert.equal(new Set(parallel.map((session) => session.sessionId)).size, 1);
    for (const id of [first.sessionId, parallel[0]?.sessionId ?? first.sessionId])
      assert.equal((await pendingCommands(tenant.orgId, id)).length, 1);
    assert.equal((await world.audit(tenant.orgId)).length, 2);
    const colleague = world.contextOf({ orgId: tenant.orgId, userId: (await world.createUser()).userId });
    assert.notEqual((await createSession(colleague, input)).sessionId, first.sessionId);
  });

  test("AG-245 the key of a session with another prompt, model or workspace is refused and changes nothing; the same request in parallel is not", async () => {
    const { tenant, ctx, input } = await start();
    await world.createProvider(tenant.orgId, { slug: "second", models: ["big"] });
    const { sessionId } = await createSession(ctx, { ...input, providerSlug: "demo" });
    const { workspaceId } = await world.createWorkspace(tenant.orgId);
    const { prompt: _, ...silent } = input;
    for (const other of [{ ...input, prompt: "break it" }, { ...input, providerSlug: "second" }, { ...input, workspaceId }, silent])
      await assert.rejects(createSession(ctx, other), { code: "CONFLICT" });
    assert.equal((await createSession(ctx, input)).sessionId, sessionId);
    assert.equal((await pendingCommands(tenant.orgId, sessionId)).length, 1);
    const draft = { ...silent, clientKey: newId() };
    await createSession(ctx, draft);
    await assert.rejects(createSession(ctx, { ...draft, prompt: "build it" }), { code: "CONFLICT" });
    const race = ["one", "two"].map((prompt) => createSession(ctx, { ...input, prompt, clientKey: "race-0001" }));
    assert.deepEqual((await Promise.allSettled(race)).map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });

  test("a message with the key of the session is a message of its own", async () => {
    const { tenant, ctx, input } = await start();
    const { sessionId } = await createSession(ctx, input);
    await sendMessage(ctx, { org: input.org, sessionId, clientKey: input.clientKey, text: "more", target: "next-turn" });
    assert.equal((await pendingCommands(tenant.orgId, sessionId)).length, 2);
  });

  test("the model is one that a provider of the organisation offers", async () => {
    const { tenant, ctx, input } = await start();
    await world.createProvider(tenant.orgId, { slug: "second", models: ["big", "small"] });
    const created = async (wanted: Partial<CreateSession>) => {
      const { sessionId } = await createSession(ctx, { ...input, ...wanted, clientKey: newId() });
      const { provider, model } = await getSession(ctx, { org: input.org, sessionId });
      return `${provider}/${model}`;
    };
    assert.equal(await created({ providerSlug: "second" }), "second/big");
    assert.equal(await created({ providerSlug: "second", model: "small" }), "second/small");
    assert.equal(await created({ model: "small" }), "second/small");
    await assert.rejects(created({ providerSlug: "second", model: "scripted" }), { code: "NO_MODEL" });
    await assert.rejects(created({ providerSlug: "nobody" }), { code: "NO_MODEL" });
    await withOrg(tenant.orgId, (tx) => tx.provider.deleteMany({}));
    await assert.rejects(created({}), { code: "NO_MODEL" });
  });

  test("not before the files are there", async () => {
    const { tenant, ctx, input } = await start();
    const states = { importing: "WORKSPACE_BUSY", failed: "CONFLICT" } as const;
    for (const [state, code] of Object.entries(states)) {
      await world.asOwner(tenant.orgId, 'UPDATE workspaces SET state = $1::"WorkspaceState"', [state]);
      await assert.rejects(createSession(ctx, input), { code });
    }
    assert.deepEqual(await world.audit(tenant.orgId), []);
  });
});

test("a log is paged backwards, each event once", async () => {
  const { tenant, ctx } = await start();
  const writer = await openWriter(world.deps.publisher, tenant);
  await writer.append(105);
  const pages = [];
  let before: number | undefined;
  do {
    const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(ctx, {
      org: tenant.slug,
      sessionId: tenant.sessionId,
      limit: 50,
      ...(before !== undefined && { before }),
    });
    pages.unshift(page.events);
    before = page.hasMore ? page.events[0]?.seq : undefined;
  } while (before !== undefined);
  assert.deepEqual(
    pages.map((page) => page.length),
    [5, 50, 50],
  );
  assert.deepEqual(pages.flat(), writer.log);
  assert.deepEqual(await listEvents(ctx, { org: tenant.slug, sessionId: tenant.sessionId, before: 0 }), { events: [], hasMore: false });
});

test("SES-5 events of a newer release that may be skipped end no paging, not even a page full of them", async () => {
  const { tenant, ctx } = await start();
  const writer = await openWriter(world.deps.publisher, tenant);
  await writer.append(6);
  const hide = "UPDATE session_events SET type = 'future/thing', ignorable = true WHERE session_id = $1 AND seq BETWEEN 2 AND 5";
  await world.asOwner(tenant.orgId, hide, [tenant.sessionId]);
  const { events, hasMore } = await listEvents(ctx, { org: tenant.slug, sessionId: tenant.sessionId, limit: 2 });
  assert.deepEqual([events.map(({ seq }) => seq), hasMore], [[0, 1], false]);
});

test("a session that waits for a person is found among the live ones, however many were active after it", async () => {
  const { tenant, ctx } = await start();
  const { workspaceId, slug: org, orgId } = tenant;
  const make = (prompt: string) => createSession(ctx, { org, workspaceId, clientKey: newId(), prompt });
  const waits = await make("waits");
  await withOrg(orgId, (tx) => tx.session.updateMany({ where: { orgId, id: waits.sessionId }, data: { status: "waiting" } }));
  for (const prompt of ["a", "b"]) await make(prompt);
  const listed = async (isLive: boolean) => (await listSessions(ctx, { org, isLive, limit: 2 })).items.map(({ id }) => id);
  assert.equal((await listed(false)).includes(waits.sessionId), false);
  assert.deepEqual(await listed(true), [waits.sessionId]);
});

test("SES-10a a session without a word in it is a draft: not listed until somebody writes, then at once", async () => {
  const { tenant, ctx } = await start();
  const { workspaceId, slug: org } = tenant;
  const others = ({ id }: { id: string }) => (id === tenant.sessionId ? [] : [id]);
  const listed = async () => (await listSessions(ctx, { org, workspaceId })).items.flatMap(others);
  const draft = await createSession(ctx, { org, workspaceId, clientKey: newId() });
  const asked = await createSession(ctx, { org, workspaceId, clientKey: newId(), prompt: "hi" });
  assert.deepEqual(await listed(), [asked.sessionId]);
  await sendMessage(ctx, { org, sessionId: draft.sessionId, clientKey: newId(), text: "hi", target: "next-turn" });
  assert.deepEqual(new Set(await listed()), new Set([asked.sessionId, draft.sessionId]));
});
