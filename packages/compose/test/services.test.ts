import assert from "node:assert/strict";
import { test } from "node:test";
import { fastestOf } from "@gantry/testing/fastest-of";
import { compose, type Facts, makeCatalog, providedServices, rowStates } from "../src/index.ts";
import { entry, layer } from "./support/layers.ts";

const catalog = makeCatalog([
  entry("db", { provides: ["db"] }),
  entry("api", { provides: ["api"], requires: ["db"] }),
  entry("page", { requires: ["api"] }),
  entry("later", { provides: ["soon"], planned: true }),
  entry("uses-later", { requires: ["soon"] }),
  entry("hen", { provides: ["egg"], requires: ["chick"] }),
  entry("chicken", { provides: ["chick"], requires: ["egg"] }),
  entry("locked", { locked: true }),
  entry("asks", { requires: ["mail", ...Array.from({ length: 6 }, (_, at) => `s${at}`)] }),
]);

const named = (...names: string[]) => names.map((name) => ({ id: name, name }));
const group = (id: string, isolate: object, config: unknown[], more = {}) => ({
  id,
  name: "cordis:group",
  group: true,
  isolate,
  config,
  ...more,
});

function of(rows: unknown, { facts = {}, services = new Set<string>() }: { facts?: Facts; services?: ReadonlySet<string> } = {}) {
  const composition = compose({ profile: "web", layers: [layer("base@1", [{ insert: rows }], "bundle")], catalog, facts, services });
  const states = rowStates(composition, { catalog, services });
  const waits = [...states].flatMap(([id, { state, waitingFor }]) => (state === "pending" ? [`${id}: ${waitingFor.join(" ")}`] : []));
  return { ...composition, states, waits, found: composition.problems.map(({ code, path }) => `${code} ${path}`) };
}

test("rows need no order: whoever provides may come later, or from outside", () => {
  assert.deepEqual(of(named("page", "api", "db")).found, []);
  assert.deepEqual(of(named("page"), { services: new Set(["api"]) }).found, []);
});

test("a row whose service nobody provides waits, and so does all that waits for it; each is named with what it waits for", () => {
  const { waits, found, problems } = of(named("page", "api"));
  assert.deepEqual(waits, ["page: api", "api: db"]);
  assert.deepEqual(found, ["SERVICE_MISSING $.page", "SERVICE_MISSING $.api"]);
  assert.match(problems[0]?.message ?? "", /page would wait for api.*api provides api, but it waits itself/);
});

test("the reason names who would provide it: a row that is off, or that has no code yet", () => {
  const off = of([{ id: "db", name: "db", disabled: { $eq: [{ $fact: "plan.tier" }, "free"] } }, ...named("api")], {
    facts: { "plan.tier": "free" },
  });
  assert.match(off.problems[0]?.message ?? "", /db provides db, but it is disabled/);
  const planned = of(named("later", "uses-later"));
  assert.match(planned.problems[0]?.message ?? "", /later provides soon, but this release has no code for it/);
  assert.deepEqual(
    [...planned.states.values()].map(({ state }) => state),
    ["planned", "pending"],
  );
});

test("rows that wait for each other are told so with all names, also by inject alone; what only waits for them is no part of the circle", () => {
  const { found, problems } = of(named("hen", "chicken"));
  assert.deepEqual(found, ["SERVICE_LOOP $.hen", "SERVICE_LOOP $.chicken"]);
  assert.match(problems[0]?.message ?? "", /^hen, chicken would wait for each other: hen needs chick\./);
  const injected = of([{ id: "db", name: "db", inject: ["api"] }, ...named("api", "page")]);
  assert.deepEqual(injected.found, ["SERVICE_LOOP $.db", "SERVICE_LOOP $.api", "SERVICE_MISSING $.page"]);
  const self = of([{ id: "db", name: "db", inject: ["db"] }]);
  assert.match(self.problems[0]?.message ?? "", /db would wait for db, which it provides itself/);
});

test("a realm hides a service from those outside and from those who are isolated from it inside", () => {
  assert.deepEqual(of([group("g", { db: true }, named("db")), ...named("api")]).waits, ["api: db"]);
  assert.deepEqual(of([...named("db"), group("g", { db: true }, named("api"))]).waits, ["api: db"]);
  assert.deepEqual(of([group("g", { db: true }, named("db", "api"))]).found, []);
  assert.deepEqual(of([group("g", { db: true }, [group("deep", {}, named("db")), ...named("api")])]).found, []);
});

test("rows with one label share a realm, wherever they stand; another label, and `true`, are other realms", () => {
  const labelled = (label: unknown) => [group("a", { db: "shared" }, named("db")), group("b", { db: label }, named("api"))];
  assert.deepEqual(of(labelled("shared")).found, []);
  for (const label of ["other", true]) assert.deepEqual(of(labelled(label)).waits, ["api: db"]);
});

test("what a group injects, all below it wait for", () => {
  assert.deepEqual(of([group("g", {}, named("db"), { inject: ["mail"] })]).waits, ["db: mail"]);
});

test("rows that are off wait for nothing and provide nothing; locked rows say so; broken ones are invalid with their reasons", () => {
  const { states } = of([
    { id: "page", name: "page", disabled: true },
    { id: "locked", name: "locked" },
    { id: "gone", name: "no-such" },
  ]);
  assert.deepEqual(
    [...states].map(([id, { state, locked }]) => `${id} ${state} ${locked}`),
    ["page disabled false", "locked mounts true", "gone invalid false"],
  );
  assert.match(states.get("gone")?.reasons[0] ?? "", /No plugin named "/);
});

test("a preset sees of its root what mounts outside realms, and what the worker gives", () => {
  const { rows } = of([...named("db", "later"), group("g", { api: true }, named("api"))]);
  assert.deepEqual(
    [...providedServices(rows, catalog)].filter((service) => ["db", "api", "soon", "credentials"].includes(service)).sort(),
    ["credentials", "db"],
  );
});

test("a layer made of rows that wait is refused in about the time of a good one and with short reasons", () => {
  const many = Array.from({ length: 450 }, (_, index) => ({
    id: `r${index}`,
    name: "db",
    inject: Array.from({ length: 6 }, (_, at) => `s${at}`),
  }));
  const good = Array.from({ length: 450 }, (_, index) => ({ id: `r${index}`, name: "db", isolate: { db: true } }));
  const usual = fastestOf(() => assert.deepEqual(of([group("g", {}, good)]).problems, []));
  let { problems } = of([]);
  const look = () => {
    problems = of([group("g", { db: true }, many), ...named("api")]).problems;
  };
  const took = fastestOf(look, { enoughMs: 20 * usual });
  assert.ok(took < 20 * usual, `${took} ms, and ${usual} ms for as many good rows`);
  const count = (wanted: string) => problems.filter(({ code }) => code === wanted).length;
  assert.deepEqual([count("SERVICE_MISSING"), count("SERVICE_TAKEN"), problems.length], [451, 449, 900]);
  assert.ok(problems.every(({ message }) => message.length < 500));
});
