import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { OrgId, WorkspaceId } from "@gantry/contracts";
import { withOrg } from "@gantry/db";
import { createLogger, type Env } from "@gantry/platform";
import { say, skip, useBench } from "@gantry/sandbox/testing";
import { testDatabase } from "@gantry/testing/db";
import type { WorkerDeps } from "../src/compose.ts";
import { importWorkspace } from "../src/handlers/import-workspace.ts";
import { fillOrdinary, startGitServer } from "./support/git-server.ts";

describe("cloning a repository into a workspace", { skip, concurrency: 1 }, async () => {
  if (skip) return;
  const db = await testDatabase();
  const bench = useBench({ quotaMb: 48 });
  const server = await startGitServer({
    "/private.git": (_request, response) => void response.writeHead(401, { "www-authenticate": "Basic realm=x" }).end(),
    "/moved.git": (request, response) => void response.writeHead(302, { location: (request.url ?? "").replace("moved", "ordinary") }).end(),
    "/page.git": (_request, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>No git here</p>"),
    "/cut.git": (_request, response) => void response.destroy(),
    "/lying.git": (_request, response) =>
      void response.writeHead(500, { "content-type": "text/plain" }).end("No space left on device; repository x not found\n"),
  });
  server.addRepository("ordinary", fillOrdinary);
  server.addRepository("empty-commit", () => {});
  server.addRepository("huge", (dir) => writeFileSync(join(dir, "random"), randomBytes(64 * 1024 * 1024)));
  const lines: object[] = [];

  async function prepare(url: string): Promise<{ orgId: OrgId; workspaceId: WorkspaceId }> {
    const { orgId } = await db.createOrg();
    const { workspaceId } = await db.createWorkspace(orgId);
    const data = { state: "importing" as const, source: { kind: "clone", url } };
    await withOrg(orgId, (tx) => tx.workspace.update({ where: { orgId_id: { orgId, id: workspaceId } }, data }));
    return { orgId, workspaceId };
  }

  /** What importing makes of the workspace's row. */
  async function clone(url: string, values: Partial<Env> = {}, prepared?: { orgId: OrgId; workspaceId: WorkspaceId }) {
    const { orgId, workspaceId } = prepared ?? (await prepare(url));
    const env = { ...db.env, GANTRY_ALLOW_PRIVATE_HOSTS: true, GANTRY_EXTRA_CA_FILE: server.caFile, WORKSPACE_QUOTA_MB: 1024, ...values };
    const log = { ...createLogger("test"), info: (line: object) => lines.push(line), warn: (line: object) => lines.push(line) };
    const deps = { env, log, sandbox: bench.client, stop: new AbortController().signal } as unknown as WorkerDeps;
    await importWorkspace(deps, { orgId, workspaceId });
    const row = await withOrg(orgId, (tx) => tx.workspace.findUniqueOrThrow({ where: { orgId_id: { orgId, id: workspaceId } } }));
    return { state: row.state, problem: row.problem, orgId, workspaceId };
  }
  /** What a session finds in the workspace. */
  const look = async ({ orgId, workspaceId }: { orgId: OrgId; workspaceId: WorkspaceId }, command: string) =>
    say(await bench.open({ orgId, workspaceId }), command);

  test("an https repository is cloned through the tunnel, with every kind of file, and a session can work in it", async () => {
    const cloned = await clone(`${server.origin}/ordinary.git`);
    assert.deepEqual([cloned.state, cloned.problem], ["ready", null]);
    const seen = await look(
      cloned,
      "cat README.md .hidden link; src/run.sh; git status --porcelain; git fsck 2>&1; git remote get-url origin; ls -A | sort | tr '\\n' ' '; echo x >> README.md && git commit -qam second && git log --format=%s | tr '\\n' ' '",
    );
    assert.equal(seen, `hello\ndot\nhello\nran\n${server.origin}/ordinary.git\n.git .hidden README.md link src second first`);
    const decision = lines.find((line) => "verdict" in line);
    assert.partialDeepStrictEqual(decision, { host: "localhost", verdict: "allowed", workspaceId: cloned.workspaceId });
    assert.deepEqual(await bench.client.listWorlds().then((worlds) => worlds.filter(({ sessionId }) => sessionId === null)), []);
  });

  test("a repository without files is a workspace without files", async () => {
    const cloned = await clone(`${server.origin}/empty-commit.git`);
    assert.deepEqual([cloned.state, await look(cloned, "ls -A; git log --format=%s")], ["ready", ".git\nfirst"]);
  });

  test("CP-08 two workspaces on one repository share nothing: a branch, a commit or a file of one is not in the other, nor in a later clone", async () => {
    const url = `${server.origin}/ordinary.git`;
    const first = await clone(url);
    const other = await clone(url);
    await look(first, "git checkout -qb secret-branch && echo mine > mine && git add mine && git commit -qm secret-commit");
    const later = await clone(url);
    const state =
      "git for-each-ref --format='%(refname)'; git log --all --reflog --format=%s | sort -u; git cat-file --batch-check --batch-all-objects | wc -l; ls";
    const seen = await look(other, state);
    assert.doesNotMatch(seen, /secret|mine/);
    assert.equal(await look(later, state), seen);
    assert.match(await look(first, state), /secret-branch[\s\S]*secret-commit[\s\S]*mine/);
  });

  const failures: [path: string, values: Partial<Env>, problem: RegExp][] = [
    ["/missing.git", {}, /no such repository, or it is private/],
    ["/private.git", {}, /no such repository, or it is private/],
    ["/moved.git", {}, /sends this address on to another one/],
    ["/page.git", {}, /no git repository at this address, or it is empty/],
    ["/cut.git", {}, /connection broke/],
    ["/lying.git", {}, /git could not clone the repository/],
    ["/ordinary.git", { GANTRY_EXTRA_CA_FILE: undefined }, /certificate is not trusted/],
    ["/huge.git", {}, /does not fit into a workspace/],
    ["/huge.git", { WORKSPACE_QUOTA_MB: 8 }, /does not fit into a workspace/],
  ];
  for (const [path, values, problem] of failures)
    test(`a failed clone says why in plain words and leaves nothing: ${path} ${JSON.stringify(values)}`, async () => {
      const failed = await clone(`${server.origin}${path}`, values);
      assert.equal(failed.state, "failed");
      assert.match(failed.problem ?? "", problem);
      assert.doesNotMatch(failed.problem ?? "", /localhost|fatal|\/workspace/);
      assert.equal(
        await look(failed, "ls -A; df --output=pcent /workspace | tail -1 | tr -d ' %' | awk '{ if ($1 > 20) print \"full\" }'"),
        "",
      );
    });

  test("a repeat after an attempt that died half-way leaves the repository and nothing else", async () => {
    const url = `${server.origin}/ordinary.git`;
    const prepared = await prepare(url);
    await look(
      prepared,
      "mkdir -p .gantry-clone-earlier/objects src && touch .gantry-clone-earlier/objects/pack src/moved && ln -s /etc link",
    );
    assert.equal((await clone(url, {}, prepared)).state, "ready");
    assert.equal(await look(prepared, "ls -A | sort | tr '\\n' ' '; git status --porcelain"), ".git .hidden README.md link src");
  });

  test("no more is loaded than fits into a workspace", async () => {
    const { workspaceId } = await clone(`${server.origin}/huge.git`, { WORKSPACE_QUOTA_MB: 8 });
    const decision = lines.findLast((line) => "verdict" in line && "workspaceId" in line && line.workspaceId === workspaceId);
    assert.partialDeepStrictEqual(decision, { verdict: "allowed", reason: "byte-limit" });
    assert.ok(decision && "bytes" in decision && Number(decision.bytes) < 9 * 1024 * 1024);
  });

  test("a redirect is not followed: the address it leads to is never asked", async () => {
    const before = server.asked.length;
    await clone(`${server.origin}/moved.git`);
    assert.deepEqual(
      server.asked.slice(before).map((url) => url.split("?")[0]),
      ["/moved.git/info/refs"],
    );
  });

  test("SC-N2 a host inside the network, an address, another port, plain http and credentials are refused", async () => {
    const before = server.asked.length;
    const open = { GANTRY_ALLOW_PRIVATE_HOSTS: false };
    for (const [url, problem] of [
      ["https://localhost/ordinary.git", /not on the public internet/],
      [`${server.origin}/ordinary.git`, /443/],
      ["https://169.254.169.254/latest.git", /not from an IP address/],
      ["https://[::ffff:127.0.0.1]/a.git", /not from an IP address/],
      ["http://localhost/ordinary.git", /Only https/],
      ["https://user:token@localhost/ordinary.git", /contains credentials/],
      ["file:///workspace/a.git", /Only https/],
    ] as const) {
      const failed = await clone(url, open);
      assert.match(failed.problem ?? "", problem, url);
      assert.doesNotMatch(failed.problem ?? "", /token/);
    }
    assert.equal(server.asked.length, before);
  });

  test("a host that does not answer is told apart from a refused one", async () => {
    assert.match((await clone("https://localhost:1/ordinary.git")).problem ?? "", /does not answer/);
    assert.match((await clone("https://no-such-host.invalid/ordinary.git")).problem ?? "", /does not answer/);
  });
});
