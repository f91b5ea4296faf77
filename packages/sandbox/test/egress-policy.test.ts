import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { isAppError } from "@gantry/contracts";
import { isPublicAddress } from "@gantry/platform/net/public-address";
import { type Dialed, dial } from "../src/egress/dial.ts";
import { parseRules } from "../src/egress/policy.ts";

const names: Record<string, string[]> = {
  "git.example": ["8.8.8.8"],
  "mixed.example": ["8.8.8.8", "10.0.0.5"],
  "inside.example": ["127.0.0.1"],
  "six.example": ["::ffff:a9fe:a9fe"],
  "nat.example": ["64:ff9b::a9fe:a9fe"],
  "a.cdn.example": ["192.168.1.1"],
  "alias.example": ["git.example"],
};
const policy = {
  hosts: ["git.example", "mixed.example", "inside.example", "six.example", "nat.example", "gone.example", "*.cdn.example", "alias.example"],
};
const options = (resolve: (host: string) => Promise<readonly string[]>) => ({
  rules: parseRules(policy),
  policy,
  resolve,
  signal: new AbortController().signal,
  limitMs: 1_000,
});

/** What a dial would do: the address it would connect to stays unconnected, because the dial is given up at that moment. */
async function verdictOf(host: string, port: number): Promise<string> {
  const asked: string[] = [];
  const stop = new AbortController();
  const resolve = async (name: string) => {
    asked.push(name);
    const found = names[name];
    if (!found) throw new Error("ENOTFOUND");
    if (found.every(isPublicAddress)) stop.abort();
    return found;
  };
  const dialed = await dial(host, port, { ...options(resolve), signal: stop.signal });
  if (dialed.verdict === "allowed") dialed.socket.destroy();
  else if (dialed.reason === "aborted") return "would connect";
  const reason = dialed.verdict === "allowed" ? "connected" : dialed.reason;
  return ["not-a-host", "address", "not-listed", "port"].includes(reason)
    ? `${reason}${asked.length > 0 ? " after a lookup" : ""}`
    : reason;
}

const table: [host: string, port: number, expected: string][] = [
  ["git.example", 443, "would connect"],
  ["GIT.Example.", 443, "would connect"],
  ["git.example", 22, "port"],
  ["git.example", 25, "port"],
  ["git.example", 80, "port"],
  ["other.example", 443, "not-listed"],
  ["evilgit.example", 443, "not-listed"],
  ["git.example.evil.example", 443, "not-listed"],
  ["cdn.example", 443, "not-listed"],
  ["evilcdn.example", 443, "not-listed"],
  ["a.cdn.example", 443, "private-address"],
  ["mixed.example", 443, "private-address"],
  ["inside.example", 443, "private-address"],
  ["six.example", 443, "private-address"],
  ["nat.example", 443, "private-address"],
  ["gone.example", 443, "not-found"],
  ["alias.example", 443, "not-found"],
  ["169.254.169.254", 443, "address"],
  ["8.8.8.8", 443, "address"],
  ["2852039166", 443, "address"],
  ["0xa9fea9fe", 443, "address"],
  ["0251.0376.0251.0376", 443, "address"],
  ["127.1", 443, "address"],
  ["::1", 443, "address"],
  ["::ffff:169.254.169.254", 443, "address"],
  ["fe80::1%eth0", 443, "address"],
  ["git.example\u0000.evil", 443, "not-a-host"],
  ["git.example/@evil.example", 443, "not-a-host"],
  ["user@git.example", 443, "not-a-host"],
  ["１２７.0.0.1", 443, "not-a-host"],
  ["", 443, "not-a-host"],
];

describe("the egress policy", () => {
  for (const [host, port, expected] of table)
    test(`SC-N6 ${JSON.stringify(host)}:${port} ${expected}`, async () => {
      assert.equal(await verdictOf(host, port), expected);
    });

  test("SC-N8 a name is looked up once; a second answer cannot move the connection", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).resume());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const own = { hosts: [`rebind.example:${port}`], allowPrivate: true };
    let lookups = 0;
    const resolve = async () => (++lookups === 1 ? ["127.0.0.1"] : ["127.0.0.2"]);
    const dialed = await dial("rebind.example", port, { ...options(resolve), rules: parseRules(own), policy: own });
    assert.ok(dialed.verdict === "allowed");
    assert.deepEqual([lookups, dialed.socket.remoteAddress], [1, "127.0.0.1"]);
    dialed.socket.destroy();
    server.close();
  });

  test("SC-N5 a listed name that leads to a metadata service is refused, also where private networks are allowed", async () => {
    const own = { hosts: ["inside.example:443"], allowPrivate: true };
    for (const address of ["169.254.169.254", "fe80::1", "fd00:ec2::254"]) {
      const resolve = async () => [address];
      const dialed = await dial("inside.example", 443, { ...options(resolve), rules: parseRules(own), policy: own });
      assert.deepEqual(dialed, { verdict: "refused", reason: "private-address" }, address);
    }
  });

  test("SC-N8 a name that turns to an inside address is refused at that connection", async () => {
    let lookups = 0;
    const stop = new AbortController();
    const resolve = async () => {
      lookups += 1;
      if (lookups === 1) stop.abort();
      return lookups === 1 ? ["8.8.8.8"] : ["127.0.0.1"];
    };
    const first = await dial("git.example", 443, { ...options(resolve), signal: stop.signal });
    const second = await dial("git.example", 443, options(resolve));
    assert.deepEqual([reasonOf(first), reasonOf(second)], ["aborted", "private-address"]);
  });

  test("a lookup that never answers ends in time", async () => {
    const dialed = await dial("git.example", 443, { ...options(() => new Promise(() => {})), limitMs: 20 });
    assert.equal(reasonOf(dialed), "timeout");
  });

  test("a policy that could not mean what it says is not accepted", () => {
    const bad = [
      "",
      "*",
      "*.com",
      "10.0.0.1",
      "[::1]",
      "git.example:8443",
      "git.example:0",
      "https://git.example",
      "a b",
      "*.8.8",
      "git.*.example",
    ];
    for (const entry of bad)
      assert.throws(
        () => parseRules({ hosts: [entry] }),
        (error) => isAppError(error, "BAD_REQUEST"),
        entry,
      );
    assert.deepEqual(parseRules({ hosts: ["[::1]:8443", "localhost:9"], allowPrivate: true }), [
      { suffix: false, host: "::1", port: 8443 },
      { suffix: false, host: "localhost", port: 9 },
    ]);
  });
});

function reasonOf(dialed: Dialed): string {
  return dialed.verdict === "allowed" ? "allowed" : dialed.reason;
}
