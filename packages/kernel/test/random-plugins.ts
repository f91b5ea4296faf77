import assert from "node:assert/strict";
import { randomOf } from "@gantry/testing/random";
import { type Context, type Handle, mount } from "../src/index.ts";

export const services = ["testShell", "testStore"] as const;
type ServiceName = (typeof services)[number];

/** Choices from a seed, so that every sequence can be repeated. */
export function randomFrom(seed: number) {
  const next = randomOf(seed);
  return {
    chance: (probability: number) => next() < probability,
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  };
}
export type Random = ReturnType<typeof randomFrom>;

/** What the world sees of a random plugin: the handle, and the effects that stand. */
export interface Specimen {
  readonly handle: Handle;
  readonly ctx: Context;
  readonly inject: readonly ServiceName[];
  readonly parent: Specimen | null;
  readonly standing: Set<string>;
}

export class Population {
  readonly all: Specimen[] = [];
  readonly random: Random;
  private effects = 0;

  constructor(random: Random) {
    this.random = random;
  }

  mount(ctx: Context, parent: Specimen | null): Specimen {
    const { random } = this;
    const inject = services.filter(() => random.chance(0.3));
    const provides = random.chance(0.4) ? random.pick(services) : null;
    const standing = new Set<string>();
    const name = `p${this.all.length}`;
    const apply = async (own: Context): Promise<void> => {
      assert.equal(standing.size, 0, `${name} starts while effects of an earlier activation stand`);
      await this.live(own, specimen, provides);
    };
    const specimen: Specimen = { handle: mount(ctx, { name, inject, apply }), ctx, inject, parent, standing };
    this.all.push(specimen);
    return specimen;
  }

  /** One activation: a handful of random acts, some of which fail. */
  private async live(own: Context, specimen: Specimen, provides: ServiceName | null): Promise<void> {
    const { random } = this;
    void this.registerLate(own, randomFrom(this.all.indexOf(specimen)));
    const seen = specimen.inject.map((name) => own[name]);
    const steady = () =>
      assert.deepEqual(
        specimen.inject.map((name) => own[name]),
        seen,
        "an activation sees one provider only",
      );
    if (provides && random.chance(0.5)) own.provide(provides, { kind: specimen.handle.name });
    for (let acts = random.below(4); acts >= 0; acts--) {
      const act = random.below(6);
      if (act === 0) own.on("test/ping", () => this.all.length);
      if (act === 1) this.stand(own, specimen, steady);
      if (act === 2) this.standTwice(own, specimen);
      if (act === 3 && depthOf(specimen) < 3) this.mount(own, specimen);
      if (act === 4) await pause(random);
      if (act === 5 && random.chance(0.3)) throw new Error("random start failure");
    }
    if (random.chance(0.05)) void specimen.handle.dispose();
    if (provides && own.get(provides) === undefined) own.provide(provides, { kind: specimen.handle.name });
  }

  /** What runs on by itself and registers whenever it comes to it; it has random numbers of its own, so that the seeds go on meaning what they meant. */
  private async registerLate(own: Context, random: Random): Promise<void> {
    for (let waits = random.below(8); waits > 0; waits--) await pause(random);
    try {
      own.effect(() => () => {}, "late");
    } catch (error) {
      assert.match(String((error as { code?: string }).code), /^(INACTIVE_EFFECT|ROOT_SEALED)$/);
    }
  }

  private stand(own: Context, specimen: Specimen, steady: () => void): void {
    own.effect(() => this.undoOf(own, specimen, steady), "one");
  }

  private standTwice(own: Context, specimen: Specimen): void {
    const steps = [this.undoOf.bind(this), this.undoOf.bind(this)];
    own.effect(function* () {
      for (const step of steps) yield step(own, specimen);
    }, "two");
  }

  /** Counts an effect as standing until its undo ends; the undo may be slow, may throw, and may try to register another effect. */
  private undoOf(own: Context, { standing }: Specimen, check = () => {}): () => unknown {
    const { random } = this;
    const id = `e${this.effects++}`;
    standing.add(id);
    const [isSlow, isRude, throws] = [random.chance(0.4), random.chance(0.2), random.chance(0.15)];
    const end = () => {
      assert.ok(standing.delete(id), "an effect was undone twice");
      if (isRude) assert.throws(() => own.effect(() => () => {}, "late"), { code: "INACTIVE_EFFECT" });
      if (throws) throw new Error("random undo failure");
    };
    return () => {
      check();
      return isSlow ? pause(random).then(end) : end();
    };
  }
}

const depthOf = ({ parent }: Specimen): number => (parent ? 1 + depthOf(parent) : 0);

/** Lets other work go first, for a random while. */
export async function pause(random: Random): Promise<void> {
  if (random.chance(0.2)) await new Promise(setImmediate);
  for (let turns = random.below(4); turns > 0; turns--) await Promise.resolve();
}
