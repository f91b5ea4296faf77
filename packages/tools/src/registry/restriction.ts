import { KernelError } from "@gantry/kernel";
import { reservedNames } from "./names.ts";

/** Which inherited tools a scope keeps. With both lists a tool must be allowed and not denied. */
export type ToolFilter = { readonly allow?: readonly string[]; readonly deny?: readonly string[] };

/** A compiled filter, applied to the live registry, so that a tool which appears later is filtered too (T-6). */
export type Restriction = (name: string) => boolean;

/** @throws KernelError UNKNOWN_TOOL for an empty filter or a name the scope does not inherit; the message lists those it does */
export function compileRestriction(filter: ToolFilter, scope: { inherited: ReadonlySet<string>; own: ReadonlySet<string> }): Restriction {
  const { allow, deny } = filter;
  const names = [...(allow ?? []), ...(deny ?? [])];
  if (allow === undefined && names.length === 0) throw new KernelError("UNKNOWN_TOOL", "A tool restriction needs an allow or a deny list.");
  const known = [...scope.inherited].filter((name) => !scope.own.has(name) && !reservedNames.has(name)).sort();
  for (const name of names) {
    if (known.includes(name)) continue;
    const why = scope.own.has(name) ? "is registered by this scope itself" : "is not a tool this scope inherits";
    throw new KernelError("UNKNOWN_TOOL", `"${name}" ${why}. Known tools: ${known.join(", ") || "none"}.`);
  }
  const allowed = allow && new Set(allow);
  const denied = new Set(deny);
  return (name) => (allowed === undefined || allowed.has(name)) && !denied.has(name);
}
