import { catalogData, type Row } from "@gantry/compose";
import { randomOf } from "@gantry/testing/random";

type Wild = Omit<Row, "config"> & { config?: unknown };

/** A config for plugins that need one. */
const configs: Readonly<Record<string, object>> = { persona: { prefix: "x" } };

/** Choices from a seed, so that a case can be repeated. */
export function choicesOf(seed: number) {
  const next = randomOf(seed);
  return {
    chance: (probability: number) => next() < probability,
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  };
}
export type Choices = ReturnType<typeof choicesOf>;

/** Rows of the catalogue's plugins of a plane, with groups, realms, needs and switches as they come; most would not start as they are. */
export function randomRows(choices: Choices, plane: "host" | "preset", count: number): Wild[] {
  const { chance, below, pick } = choices;
  const names = catalogData.entries.flatMap(({ name, planes, planned }) => (planes.includes(plane) && !planned ? [name] : []));
  const services = [
    ...new Set(names.flatMap((name) => [...(catalogData.find(name)?.provides ?? []), ...(catalogData.find(name)?.requires ?? [])])),
  ];
  const isolate = () =>
    Object.fromEntries(Array.from({ length: 1 + below(2) }, () => [pick(services), pick([true, "one", "two"] as const)]));
  let made = 0;
  const row = (depth: number): Wild => {
    made += 1;
    const number = made;
    const more = {
      ...(chance(0.15) ? { disabled: pick([true, { $eq: [{ $fact: "plan.tier" }, "free"] } as const]) } : {}),
      ...(chance(0.3) ? { isolate: isolate() } : {}),
      ...(chance(0.1) ? { inject: [pick(services)] } : {}),
    };
    if (depth < 3 && chance(0.35)) {
      const config = Array.from({ length: 1 + below(3) }, () => row(depth + 1));
      return { id: `g${number}`, name: "cordis:group", group: true, config, ...more };
    }
    const name = pick(names);
    return { id: `r${number}`, name, ...(configs[name] ? { config: configs[name] } : {}), ...more };
  };
  return Array.from({ length: count }, () => row(0));
}
