import { AsyncLocalStorage } from "node:async_hooks";
import type { OrgId } from "@gantry/contracts";

const orgs = new AsyncLocalStorage<OrgId>();

/** Runs `work`, and everything it starts, as work for one org. An assertion for the tripwire of {@link hostFor}, never a permission (M-10). */
export const runForOrg = <T>(orgId: OrgId, work: () => T): T => orgs.run(orgId, work);

/** The org whose work this is, or undefined outside of any. */
export const currentOrg = (): OrgId | undefined => orgs.getStore();
