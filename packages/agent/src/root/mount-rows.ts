import { AppError } from "@gantry/contracts";
import { audit, type Context, describeAudit, type Handle, mount } from "@gantry/kernel";
import { catalog } from "../catalog.ts";
import type { Row } from "./rows.ts";

/** Mounts a set of rows and waits until each is active (K-11). @throws AppError INTERNAL naming every row that is not, with its reason */
export async function mountRows(ctx: Context, rows: readonly Row[], what: string): Promise<Handle[]> {
  const handles = rows.map((row) => {
    const plugin = Object.hasOwn(catalog, row.name) ? catalog[row.name] : undefined;
    if (!plugin) throw new AppError("INTERNAL", `${what} names the plugin "${row.name}", which this release does not have.`);
    return mount(ctx, plugin, row.config, { row: row.id });
  });
  const report = await audit(handles);
  if (!report.usable) throw new AppError("INTERNAL", `${what} did not start: ${describeAudit(report).join("; ")}.`);
  return handles;
}
