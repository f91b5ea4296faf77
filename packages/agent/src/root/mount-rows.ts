import type { MountRow } from "@gantry/compose";
import { AppError } from "@gantry/contracts";
import { audit, type Context, describeAudit, type Handle, mount } from "@gantry/kernel";
import { catalog } from "../catalog.ts";

/**
 * Mounts a set of rows and waits until each is active (K-11).
 * @throws AppError INTERNAL naming every row that is not, with its reason, or a row that asks for what is not built yet
 */
export async function mountRows(ctx: Context, rows: readonly MountRow[], what: string): Promise<Handle[]> {
  const plugins = rows.map((row) => {
    // ignoring them would mount something else than the dump says
    if (row.children || row.isolate || row.inject) {
      throw new AppError("INTERNAL", `${what}: the row "${row.id}" is a group or has isolate or inject, which cannot be mounted yet.`);
    }
    const plugin = Object.hasOwn(catalog, row.name) ? catalog[row.name] : undefined;
    if (!plugin) throw new AppError("INTERNAL", `${what} names the plugin "${row.name}", which this release does not have.`);
    return { row, plugin };
  });
  const report = await audit(plugins.map(({ row, plugin }) => mount(ctx, plugin, row.config, { row: row.id })));
  if (!report.usable) throw new AppError("INTERNAL", `${what} did not start: ${describeAudit(report).join("; ")}.`);
  return [...report.active];
}
