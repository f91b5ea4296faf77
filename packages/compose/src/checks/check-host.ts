import type { Catalog } from "../catalog/entry.ts";
import type { ComposedRow } from "../composition.ts";
import { type Issue, keyPath } from "../input/issue.ts";
import type { HostRequirements } from "../services/host-requirements.ts";
import { type PlacedRow, placeRows } from "../services/realms.ts";

const advice = "Switch that row on, or insert another that does the same.";

/** Why no session could run on these rows although each of them may start: a service that every root offers is not there, no loop is, or two are. */
export function checkHost(rows: readonly ComposedRow[], catalog: Catalog, { services, slot }: HostRequirements): Issue[] {
  const placed = [...placeRows(rows)];
  const providing = (service: string) => placed.filter(({ row }) => catalog.find(row.row.name)?.provides.includes(service));
  const missing = services.flatMap((service): Issue[] => {
    const known = providing(service);
    if (known.some(({ row, realmOf }) => row.outcome.state === "mounts" && realmOf(service) === null)) return [];
    return [lack("HOST_INCOMPLETE", known, `Sessions need ${service}`, `provides ${service}`)];
  });
  const loops = placed.filter(({ row }) => catalog.find(row.row.name)?.fills === slot);
  const mounted = loops.filter(({ row }) => row.outcome.state === "mounts");
  const [first, ...more] = mounted;
  const isolated = mounted.filter(({ isIsolated }) => isIsolated);
  return [
    ...missing,
    ...(first ? [] : [lack("NO_AGENT_FACTORY", loops, "No session can run: agents need a loop", "is one")]),
    ...more.map((second) => twoLoops(first as PlacedRow, second)),
    ...isolated.map(({ row, path }): Issue => {
      const message = `${row.row.id} runs the turns of every session, so it cannot stand in a realm. Take isolate from the row and its groups.`;
      return { code: "NO_AGENT_FACTORY", path: path.reduce(keyPath, "$"), message };
    }),
  ];
}

function lack(code: Issue["code"], known: readonly PlacedRow[], need: string, does: string): Issue {
  const [near] = known.toSorted((a, b) => Number(b.offBy !== null) - Number(a.offBy !== null));
  if (!near) return { code, path: "$", message: `${need}, and no row ${does}. Insert one.` };
  const path = near.path.reduce(keyPath, "$");
  const { id } = near.row.row;
  if (!near.offBy)
    return { code, path, message: `${need}, and ${id}, which ${does}, keeps it in a realm or is not there yet. Insert another row.` };
  const cause = keyPath(near.offBy.path.reduce(keyPath, "$"), "disabled");
  return { code, path, cause, message: `${need}, and the row ${id}, which ${does}, is switched off by ${near.offBy.layer}. ${advice}` };
}

function twoLoops(first: PlacedRow, second: PlacedRow): Issue {
  const [one, other] = [first.row.row.id, second.row.row.id];
  const message = `${one} and ${other} both run the turns of sessions, and there is room for one. Switch one of the two rows off.`;
  return { code: "AGENT_FACTORY_TAKEN", path: second.path.reduce(keyPath, "$"), message };
}
