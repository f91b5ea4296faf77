import assert from "node:assert/strict";
import { it } from "node:test";
import { audit, closeRoot } from "../src/index.ts";
import { Population, pause, randomFrom, type Specimen } from "./random-plugins.ts";
import { testRoot } from "./support.ts";

const expectedErrors = /random (start|undo) failure|SERVICE_TAKEN|already provided|is unloading or disposed/;

/** At rest, each plugin is where its services say, and holds effects only while it is active. */
function assertAtRest({ handle, ctx, inject, parent, standing }: Specimen): void {
  const { state, name } = handle;
  const isReady = inject.every((service) => ctx.get(service) !== undefined);
  if (state === "active") assert.ok(isReady, `${name} is active without its services`);
  else if (state === "pending") assert.ok(!isReady, `${name} waits for nothing`);
  else assert.ok(state === "failed" || state === "disposed", `${name} is ${state} at rest`);
  if (state !== "active") assert.deepEqual([[...standing], handle.effects()], [[], []], `${name} is ${state} and holds effects`);
  if (parent && parent.handle.state !== "active") assert.equal(state, "disposed", `${name} outlives its parent`);
}

async function runSequence(seed: number): Promise<void> {
  const { ctx, root, errors } = testRoot();
  const random = randomFrom(seed);
  const population = new Population(random);
  const rest = async () => {
    await audit(population.all.map(({ handle }) => handle));
    for (const specimen of population.all) assertAtRest(specimen);
  };
  for (let step = 4 + random.below(12); step > 0; step--) {
    const act = random.below(5);
    if (act < 3 || population.all.length === 0) population.mount(random.chance(0.15) ? ctx.isolate("testShell") : ctx, null);
    else {
      const done = random.pick(population.all).handle.dispose();
      if (random.chance(0.3)) await done;
    }
    await pause(random);
    if (random.chance(0.15)) await rest();
  }
  await rest();
  await closeRoot(root);
  for (const specimen of population.all) assertAtRest(specimen);
  assert.ok(population.all.every(({ handle }) => handle.state === "disposed"));
  assert.deepEqual([ctx.get("testShell"), ctx.get("testStore"), ctx.bail("test/ping", 1)], [undefined, undefined, undefined]);
  for (const { fields } of errors()) assert.match(String(fields.err), expectedErrors);
}

async function runSeeds(from: number, count: number): Promise<void> {
  for (let seed = from; seed < from + count; seed++) {
    await runSequence(seed).catch((error: unknown) => {
      throw new Error(`sequence with seed ${seed} broke an invariant`, { cause: error });
    });
  }
}

/** Each once found a provider that waited for its own ancestor. */
const onceBroken = [770655261, 770655502, 770671947];

it("KN-025 random lifecycle sequences keep all invariants, fixed seeds", async () => {
  await runSeeds(1, 1500);
  for (const seed of onceBroken) await runSeeds(seed, 1);
});

it("KN-025 random lifecycle sequences keep all invariants, rotating seeds", async (test) => {
  const from = Date.now() % 2 ** 31;
  test.diagnostic(`seeds ${from} to ${from + 499}; a failure names its seed, runSequence(seed) repeats it`);
  await runSeeds(from, 500);
});
