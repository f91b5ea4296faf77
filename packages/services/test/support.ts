import type { OrgId, UserId } from "@gantry/contracts";
import { newId } from "@gantry/platform";
import { testDatabase } from "@gantry/testing/db";
import { type TestDeps, testServiceDeps } from "@gantry/testing/service-deps";
import type { Role, ServiceContext, ServiceDeps } from "../src/context.ts";

export type World = Awaited<ReturnType<typeof testDatabase>> & {
  readonly deps: TestDeps;
  contextOf(
    member: { orgId: OrgId; userId: UserId },
    options?: { role?: Role; deps?: Partial<ServiceDeps>; recheck?: () => Promise<void> },
  ): ServiceContext;
  /** Rows of the audit trail, oldest first. */
  audit(orgId: OrgId): Promise<{ action: string; subject: string | null; actor_id: string }[]>;
};

/** A database of its own and services that work on it. Called at the top of a test file, so that it is closed at its end. */
export async function openWorld(env: Readonly<Record<string, string>> = {}, overrides: Partial<ServiceDeps> = {}): Promise<World> {
  const database = await testDatabase(env);
  const deps = testServiceDeps(database.env, overrides);
  return {
    ...database,
    deps,
    contextOf: ({ orgId, userId }, { role = "owner", deps: own = {}, recheck = async () => {} } = {}) => ({
      ...deps,
      ...own,
      orgId,
      userId,
      userName: "Ada",
      loginId: newId(),
      role,
      recheck,
    }),
    audit: (orgId) => database.asOwner(orgId, "SELECT action, subject, actor_id FROM audit_entries ORDER BY id"),
  };
}
