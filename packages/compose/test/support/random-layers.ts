import { randomOf } from "@gantry/testing/random";
import type { Layer } from "../../src/index.ts";
import { layer } from "./layers.ts";

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const names = ["loop", "persona", "shell-local", "shell-sandboxed"];
const kinds = ["bundle", "plan", "org", "project"] as const;

/** A stack of layers over few ids, so that patches meet: inserts, changes, groups, wrong names, unknown ids, conditions. */
export function randomStack(seed: number): Layer[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = <T extends object>(chance: number, make: () => T) => (random() < chance ? make() : {});
  const condition = () =>
    pick([true, false, { $eq: [{ $fact: "plan.tier" }, pick(["free", "pro"])] }, { $gt: [{ $fact: "plan.seats", default: 1 }, 3] }]);
  const config = () => ({
    config: pick([
      {},
      { timeoutMs: Math.floor(random() * 3000) },
      { mode: "wild" },
      { text: "# a: b\n- c" },
      { tier: { $fact: "plan.tier" } },
    ]),
  });
  const disabled = () => ({ disabled: condition() });
  const isolate = () => ({ isolate: { [pick(ids)]: pick([true, "shared"] as const) } });
  const row = (depth: number): object => {
    if (depth < 2 && random() < 0.25) {
      const rows = Array.from({ length: Math.floor(random() * 3) }, () => row(depth + 1));
      return { id: pick(ids), name: "cordis:group", group: true, config: rows, ...maybe(0.3, disabled) };
    }
    return {
      id: pick(ids),
      name: pick(names),
      ...maybe(0.5, config),
      ...maybe(0.3, disabled),
      ...maybe(0.2, isolate),
      ...maybe(0.2, () => ({ inject: [pick(ids)] })),
    };
  };
  const rows = () => Array.from({ length: Math.ceil(random() * 3) }, () => row(0));
  const patch = (): object => {
    if (random() < 0.4) return { insert: rows(), ...maybe(0.4, () => ({ id: pick(ids) })) };
    const list = () => ({ config: rows() });
    const content: () => object = random() < 0.3 ? list : config;
    return {
      ...maybe(0.95, () => ({ id: pick(ids) })),
      ...maybe(0.3, () => ({ name: pick(names) })),
      ...maybe(0.5, content),
      ...maybe(0.4, disabled),
      ...maybe(0.2, isolate),
    };
  };
  // in the order in which kinds apply, as the reference applies them as they come
  return kinds.map((kind) => layer(`${kind}@${seed}`, Array.from({ length: Math.floor(random() * 12) }, patch), kind));
}
