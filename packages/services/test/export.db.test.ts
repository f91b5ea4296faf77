import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ExportFormat, SessionId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { newId } from "@gantry/platform";
import { answers, calls, event, results, says, stepEnd, stepStart, streams, turnEnd, turnStart } from "@gantry/testing/log-builder";
import { exportSession } from "../src/session/export/export-session.ts";
import { forkSession } from "../src/session/fork/fork-session.ts";
import { openWorld } from "./support.ts";
import { writeLog } from "./write-log.ts";

const world = await openWorld();
const evil = "</pre><script>alert(1)</script> ```\n# not a heading\u0000 & \ud83d\ude42";

async function start() {
  const tenant = await world.createTenant();
  const ctx = world.contextOf(tenant);
  const parts = [turnStart(), stepStart(), says(evil), streams("do"), answers(), calls("a"), results("a"), stepEnd(), turnEnd()];
  const log = await writeLog(tenant, parts, { title: 'A <b>"title"</b>' });
  const open = (format: ExportFormat, session: SessionId = tenant.sessionId) => exportSession(ctx, { org: tenant.slug, session, format });
  const read = async (format: ExportFormat, session?: SessionId) => (await collect((await open(format, session)).chunks)).join("");
  return { tenant, ctx, log, open, read };
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the raw log", () => {
  test("EXP-1 a header and every event as it is stored, then each fork, at any depth, with its own", async () => {
    const { tenant, ctx, log, read } = await start();
    const fork = async (sessionId: SessionId) =>
      (await forkSession(ctx, { org: tenant.slug, sessionId, boundarySeq: 8, clientKey: newId() })).sessionId;
    const child = await fork(tenant.sessionId);
    const grandchild = await fork(child);
    await withOrg(tenant.orgId, (tx) =>
      tx.attachment.create({
        data: { id: newId(), orgId: tenant.orgId, sessionId: child, name: "a.png", mediaType: "image/png", bytes: 3, digest: "d" },
      }),
    );
    const lines = linesOf(await read("jsonl"));
    assert.deepEqual(lines.slice(1, 10), log);
    const headers = lines.filter((line) => line.format);
    assert.deepEqual(
      headers.map(({ session }) => session.id),
      [tenant.sessionId, child, grandchild],
    );
    assert.deepEqual(
      headers.map(({ events, session, attachments }) => [events, session.seedLength, attachments.length]),
      [
        [9, null, 0],
        [10, 9, 1],
        [10, 9, 0],
      ],
    );
    assert.equal(lines.length, 3 + 9 + 10 + 10);
    assert.deepEqual((await world.audit(tenant.orgId)).filter(({ action }) => action === "session.export").length, 1);
  });

  test("AG-166 of a session at work it has the command that runs and what it said, and leaves the turn open", async () => {
    const { tenant, read } = await start();
    const pair = [
      event("command/run", { commandId: "c", name: "export" }),
      event("command/done", { commandId: "c", kind: "success", text: "ok" }),
    ];
    await writeLog(tenant, [turnStart(2), stepStart(2), ...pair]);
    const types = linesOf(await read("jsonl"))
      .slice(1)
      .map(({ type }) => type);
    assert.deepEqual(types.slice(-4), ["turn/start", "step/start", "command/run", "command/done"]);
    const { nextSeq } = await withOrg(tenant.orgId, (tx) => tx.session.findUniqueOrThrow({ where: { id: tenant.sessionId } }));
    assert.equal(nextSeq, 13);
  });

  test("EXP-1 a damaged log and one of a newer release come out whole; a transcript of them is refused before its first piece", async () => {
    const { tenant, open, read } = await start();
    await world.asOwner(tenant.orgId, "UPDATE session_events SET type = 'future/thing', data = '{\"odd\": 1}' WHERE seq = 0");
    assert.deepEqual(linesOf(await read("jsonl"))[1].data, { odd: 1 });
    await assert.rejects(open("html"), { code: "SESSION_UNSUPPORTED" });
    await world.asOwner(tenant.orgId, "UPDATE session_events SET type = 'turn/start' WHERE seq = 0");
    await assert.rejects(open("markdown"), { code: "SESSION_CORRUPT" });
    assert.ok(await read("jsonl"), "a refused export gave its place back");
  });

  test("a log longer than a page comes in order, once", async () => {
    const { tenant, read } = await start();
    await writeLog(
      tenant,
      Array.from({ length: 1_200 }, (_, n) => event("session/title", { title: `t${n}`, messageSeqs: [], source: { kind: "user" } })),
    );
    const seqs = linesOf(await read("jsonl"))
      .slice(1)
      .map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      Array.from({ length: 1_209 }, (_, seq) => seq),
    );
  });
});

describe("transcripts", () => {
  test("EXP-1 nothing that was written becomes markup of the page", async () => {
    const { read } = await start();
    const page = await read("html");
    assert.doesNotMatch(page, /<script|<b>|\0/);
    assert.match(page, /&#60;script&#62;alert\(1\)/);
    assert.match(page, /<details><summary>Call: bash<\/summary>/);
    assert.equal(page.match(/<pre>/g)?.length, page.match(/<\/pre>/g)?.length);
  });

  test("EXP-1 nothing that was written leaves its fence in Markdown", async () => {
    const { read } = await start();
    const lines = (await read("markdown")).split("\n");
    let fence = "";
    for (const line of lines) {
      const [run] = /^`{3,}/.exec(line) ?? [];
      if (fence === "") fence = run ?? "";
      else if (line === fence) fence = "";
      else continue;
      if (fence === "" || run) continue;
      assert.doesNotMatch(line, /script|not a heading/);
    }
    assert.equal(fence, "", "every fence is closed");
    assert.ok(lines.includes("# not a heading\u0000 & \ud83d\ude42"), "inside it stands as written");
    assert.equal(lines[0], '# A &#60;b&#62;"title"&#60;&#47;b&#62;');
  });

  test("SES-20 what a compaction hid from the model is still there, its replacement is not there twice", async () => {
    const { tenant, read } = await start();
    const range = { shadowedRange: { start: 2, end: 4 }, shadowedSeqs: [2, 4], shadowedTokenCount: 9 };
    const summary = event("compaction/summary", {
      compactionId: "c",
      turn: null,
      ...range,
      summary: "the short of it",
      provider: "p",
      model: "m",
    });
    const stand = { ...says("the short of it"), surfaceOp: { op: "replace", start: 2, end: 4 } as const, sourceEventSeqs: [2, 4, 9] };
    await writeLog(tenant, [summary, stand]);
    const page = await read("html");
    assert.match(page, /alert\(1\)/);
    assert.equal(page.match(/the short of it/g)?.length, 1);
  });
});

test("SES-20 a result that was shortened for the model stays whole, with a mark where that happened", async () => {
  const { tenant, read } = await start();
  const whole = results("a");
  const short = { ...whole, surfaceOp: { op: "replace", start: 6, end: 6 } as const, sourceEventSeqs: [6] };
  const before = await read("markdown");
  await writeLog(tenant, [turnStart(2), short]);
  const after = await read("markdown");
  assert.ok(after.startsWith(before));
  assert.match(after.slice(before.length), /sees less of the result of bash/);
});

describe("who may export, and how often", () => {
  test("EXP-1 one download of a session at a time for each person; its end, read or given up, makes room", async () => {
    const { open, read, tenant } = await start();
    const first = await open("jsonl");
    await assert.rejects(open("html"), { code: "CONFLICT" });
    const { sessionId } = await world.createSession(tenant.orgId, { workspaceId: tenant.workspaceId });
    assert.ok(await read("jsonl", sessionId), "another session is another download");
    await first.chunks.return();
    const second = await open("jsonl");
    assert.ok((await collect(second.chunks)).length > 0);
    assert.ok(await read("markdown"));
  });

  test("SC-T1 another organisation's session and an unknown one are one answer", async () => {
    const [{ open }, other] = [await start(), await world.createTenant()];
    const told = await Promise.all(
      [other.sessionId, newId<SessionId>()].map((id) => open("jsonl", id).catch(({ code, message }) => [code, message])),
    );
    assert.deepEqual(told[0], told[1]);
    assert.equal((told[0] as string[])[0], "NOT_FOUND");
  });

  test("the name of the file is safe in a header", async () => {
    const { open, tenant } = await start();
    const { fileName, chunks } = await open("markdown");
    await chunks.return();
    assert.equal(fileName, `session-a-b-title-b-${tenant.sessionId.slice(0, 8)}.md`);
  });
});

async function collect(chunks: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
