import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { after, describe, test } from "node:test";
import { findLogin } from "@gantry/services";
import type { Tenant } from "@gantry/testing/db-factories";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { createApiContext } from "../src/context.ts";
import { apiPath, handleApiRequest } from "../src/http/handle-request.ts";
import { appRouter } from "../src/router.ts";
import { openSessionLog } from "./session-log.ts";
import { openApi, type Principal } from "./support.ts";

const api = await openApi();
const open: IncomingMessage[] = [];
after(() => {
  for (const response of open) response.destroy();
});
let watchers = 0;
const { feed } = api.deps;
const { subscribe } = feed;
feed.subscribe = (...args) => {
  watchers += 1;
  const stop = subscribe(...args);
  return () => {
    watchers -= 1;
    stop();
  };
};

type Event = { name: string; id: string | null; data: unknown };
type Way = (request: Request, who: Principal) => Promise<Response>;

const factsOf = (who: Principal) => ({
  deps: api.deps,
  address: "127.0.0.1",
  login: async () => (who ? findLogin(who.userId, who.loginId) : null),
});
const ours: Way = (request, who) => handleApiRequest(request, factsOf(who));
const trpcs: Way = (req, who) =>
  fetchRequestHandler({ endpoint: apiPath, req, router: appRouter, createContext: () => createApiContext(factsOf(who)) });

const address = ({ slug }: Pick<Tenant, "slug">, sessionId: string, more = ""): string =>
  `${apiPath}/session.stream?input=${encodeURIComponent(JSON.stringify({ json: { org: slug, sessionId } }))}${more}`;

describe("the stream of a session over HTTP", () => {
  test("it says what tRPC's own writer says, with a position and without, and when it is refused", async () => {
    const tenant = await api.createTenant();
    const who = await api.signIn(tenant.userId);
    const log = await openSessionLog(api.deps, tenant);
    await log.append(250);
    const other = await api.createTenant();
    const asked = {
      "from the tail": [address(tenant, tenant.sessionId), {}],
      "from a position in the address": [address(tenant, tenant.sessionId, "&lastEventId=120"), {}],
      "from a position that the browser sends": [address(tenant, tenant.sessionId, "&lastEventId=1"), { "last-event-id": "240" }],
      "another organisation's session": [address(tenant, other.sessionId), {}],
      "another organisation": [address(other, other.sessionId), {}],
      "an input that is none": [`${apiPath}/session.stream?input=${encodeURIComponent('{"json":{"org":7}}')}`, {}],
      "no input": [`${apiPath}/session.stream`, {}],
    } as const;
    for (const [name, [path, headers]] of Object.entries(asked)) {
      const [mine, theirs] = await Promise.all([ours, trpcs].map((way) => eventsOf(way, who, path, headers)));
      assert.deepEqual(mine, theirs, name);
    }
    const stranger = await Promise.all([ours, trpcs].map((way) => eventsOf(way, null, address(tenant, tenant.sessionId), {})));
    assert.deepEqual(stranger[0], stranger[1]);
    assert.equal(stranger[0]?.at(-1)?.name, "serialized-error");
  });

  test("an input that is no JSON is the caller's fault", async () => {
    const events = await eventsOf(ours, null, `${apiPath}/session.stream?input=%7B`, {});
    assert.match(JSON.stringify(events.at(-1)?.data), /"httpStatus":40[01]/);
  });

  test("a client that does not read keeps no frames waiting for it, and misses no event afterwards", async () => {
    const tenant = await api.createTenant();
    const who = await api.signIn(tenant.userId);
    const log = await openSessionLog(api.deps, tenant);
    await log.append(3);
    const client = await follow(who, tenant);
    await client.until((text) => text.includes('"caughtUp":true'));
    client.response.pause();
    const [messages, chars] = [160, 400_000];
    for (let count = 0; count < messages; count++) {
      log.delta("x".repeat(chars));
      await api.deps.publisher.flush();
      if (count % 40 === 0) await log.append(2);
    }
    await log.append(1);
    client.response.resume();
    const last = log.length - 1;
    const text = await client.until((text) => text.includes(`"seq":${last},`));
    const seqs = [...text.matchAll(/"seq":(\d+),/g)].map((match) => Number(match[1]));
    assert.deepEqual(
      seqs,
      Array.from({ length: log.length }, (_, seq) => seq),
    );
    // what the two sockets hold, and one queue of a megabyte
    assert.ok(text.length < (messages * chars) / 3, `${text.length} characters came`);
  });

  test("a client that goes leaves nothing subscribed", async () => {
    const tenant = await api.createTenant();
    const who = await api.signIn(tenant.userId);
    await openSessionLog(api.deps, tenant);
    const before = watchers;
    const client = await follow(who, tenant);
    await client.until((text) => text.includes('"caughtUp":true'));
    assert.equal(watchers, before + 1);
    const freed = new Promise<void>((resolve) => {
      const look = () => (watchers === before ? resolve() : setImmediate(look));
      client.response.once("close", look);
    });
    client.response.destroy();
    await freed;
  });
});

/** The events up to the end of the history or of the stream; the id of an error is another one each time. */
async function eventsOf(way: Way, who: Principal, path: string, headers: Record<string, string>): Promise<Event[]> {
  const gone = new AbortController();
  const response = await way(new Request(`http://localhost:3000${path}`, { headers, signal: gone.signal }), who);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.match(response.headers.get("cache-control") ?? "", /no-transform/);
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (/"caughtUp":true.*\n.*\n\n/.test(text)) break;
  }
  gone.abort();
  return text
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((part) => {
      const fields = Object.fromEntries(part.split("\n").map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []));
      const data = fields.data ? JSON.parse(fields.data.replace(/"requestId":"[^"]*"/, '"requestId":"…"')) : null;
      return { name: fields.event ?? "message", id: fields.id ?? null, data };
    });
}

/** A client at the socket, as a browser's tab is one. */
async function follow(who: NonNullable<Principal>, tenant: Tenant) {
  const headers = { "x-test-user": who.userId, "x-test-login": who.loginId };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${api.url}${address(tenant, tenant.sessionId)}`, { headers, agent: false }, resolve).once("error", reject),
  );
  open.push(response);
  let text = "";
  let look = (): void => {};
  response.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    look();
  });
  response.on("error", () => {}); // destroyed by a test
  const until = (isThere: (text: string) => boolean) =>
    new Promise<string>((resolve) => {
      look = () => isThere(text) && resolve(text);
      look();
    });
  return { response, until };
}
