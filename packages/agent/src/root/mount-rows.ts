import type { MountRow } from "@gantry/compose";
import { audit, type Context, describeWait, type Handle, mount, type Plugin } from "@gantry/kernel";
import { describeCause, isTransient } from "./causes.ts";
import { Realms } from "./realms.ts";

/** Names of configuration → plugins. */
export type Plugins = Readonly<Record<string, Plugin>>;

/** Why a row is not active. `waiting` may be the consequence of another row's failure. */
export type MountFault = {
  /** ids of the groups around the row and its own, as in `planning/plan-mode` */
  readonly path: string;
  readonly reason: string;
  readonly kind: "definition" | "transient" | "waiting";
};

type Place = { readonly ctx: Context; readonly path: string; readonly inject: readonly string[] };
type PlacedRow = Place & { readonly row: MountRow };

/**
 * Mounts a set of rows and waits until each is active (K-11). Groups are realms only: they mount nothing themselves (G-10).
 * The rows are read and never written back (G-12). A name that `plugins` lacks is a fault, and then nothing is mounted. Never throws for a row's fault; all are in the answer (F-3).
 * @param deadlineMs after which a row that still starts counts as failed
 */
export async function mountRows(
  ctx: Context,
  rows: readonly MountRow[],
  { plugins, deadlineMs }: { plugins: Plugins; deadlineMs: number },
): Promise<MountFault[]> {
  const placed = placeRows(rows, { ctx, path: "", inject: [] }, new Realms());
  const unknown = placed.filter(({ row }) => !Object.hasOwn(plugins, row.name));
  if (unknown.length > 0) return unknown.map(unknownPlugin);
  const paths = new Map<Handle, string>();
  for (const { ctx: at, row, path, inject } of placed) {
    paths.set(mount(at, plugins[row.name] as Plugin, row.config, { row: path, inject }), path);
  }
  const { failed, pending } = await audit([...paths.keys()], deadlineMs);
  const pathOf = (handle: Handle) => paths.get(handle) ?? handle.name;
  return [
    ...failed.map(({ handle, error }) => ({
      path: pathOf(handle),
      reason: describeCause(error),
      kind: isTransient(error) ? ("transient" as const) : ("definition" as const),
    })),
    ...pending.map(({ handle, missing }) => ({ path: pathOf(handle), reason: describeWait(missing), kind: "waiting" as const })),
  ];
}

export const describeFault = ({ path, reason }: MountFault): string => `${path}: ${reason}`;

/** The rows that are plugins, each with the realms and the required services of the groups around it. */
function placeRows(rows: readonly MountRow[], around: Place, realms: Realms): PlacedRow[] {
  return rows.flatMap((row) => {
    const place = {
      ctx: realms.enter(around.ctx, row.isolate),
      path: around.path === "" ? row.id : `${around.path}/${row.id}`,
      inject: [...around.inject, ...(row.inject ?? [])],
    };
    return row.children ? placeRows(row.children, place, realms) : [{ row, ...place }];
  });
}

const unknownPlugin = ({ row, path }: PlacedRow): MountFault => ({
  path,
  reason: `this release has no plugin "${row.name}"`,
  kind: "definition",
});
