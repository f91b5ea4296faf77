import type { OrgId } from "@gantry/contracts";
import { withSystem } from "./scope.ts";

/** Every organisation of the installation, for the sweep. */
export async function listOrgIds(): Promise<OrgId[]> {
  const orgs = await withSystem((tx) => tx.org.findMany({ select: { id: true }, orderBy: { id: "asc" } }));
  return orgs.map(({ id }) => id as OrgId);
}
