import type { OrgId, SessionId, UserId, WorkspaceId } from "@gantry/contracts";
import { enterOrg, type ProviderKind, type Role, standardPresetId, withOrg, withSystem } from "@gantry/db";
import { newId } from "@gantry/platform";

export type Tenant = { orgId: OrgId; slug: string; userId: UserId; workspaceId: WorkspaceId; sessionId: SessionId };

/** A person. Without `passwordHash` nobody signs in as them. */
async function createUser({
  name = "Ada",
  email,
  passwordHash = null as string | null,
}: {
  name?: string;
  email?: string;
  passwordHash?: string | null;
} = {}) {
  const id = newId<UserId>();
  const user = { id, name, email: email ?? `${id}@example.test`, passwordHash };
  await withSystem((tx) => tx.user.create({ data: user }));
  return { userId: id, email: user.email, name };
}

/** An organisation, with `userId` as its owner when given. */
async function createOrg({ name = "Acme", slug, userId }: { name?: string; slug?: string; userId?: UserId } = {}) {
  const orgId = newId<OrgId>();
  const org = { id: orgId, name, slug: slug ?? `org-${orgId}` };
  await withSystem(async (tx) => {
    await enterOrg(tx, orgId);
    await tx.org.create({ data: org });
    if (userId) await tx.membership.create({ data: { orgId, userId, role: "owner" } });
  });
  return { orgId, slug: org.slug, name };
}

async function createMembership(orgId: OrgId, userId: UserId, role: Role = "member"): Promise<void> {
  await withOrg(orgId, (tx) => tx.membership.create({ data: { orgId, userId, role } }));
}

/** An empty workspace, ready to use. */
async function createWorkspace(orgId: OrgId, { name, createdBy = newId<UserId>() }: { name?: string; createdBy?: UserId } = {}) {
  const workspaceId = newId<WorkspaceId>();
  const data = { id: workspaceId, orgId, name: name ?? `workspace ${workspaceId}`, source: { kind: "empty" }, createdBy };
  await withOrg(orgId, (tx) => tx.workspace.create({ data }));
  return { workspaceId, name: data.name };
}

/** A provider without a key: of kind `demo`, with the model `scripted`, unless told otherwise. */
async function createProvider(orgId: OrgId, { slug = "demo", kind = "demo" as ProviderKind, baseUrl = "", models = ["scripted"] } = {}) {
  const providerId = newId();
  await withOrg(orgId, (tx) => tx.provider.create({ data: { id: providerId, orgId, slug, name: slug, kind, baseUrl, models } }));
  return { providerId, slug };
}

/** A session of the preset `standard` with an empty log. */
async function createSession(
  orgId: OrgId,
  {
    workspaceId,
    createdBy = newId<UserId>(),
    provider = "demo",
    model = "scripted",
  }: { workspaceId: WorkspaceId; createdBy?: UserId; provider?: string; model?: string },
) {
  const sessionId = newId<SessionId>();
  const header = { id: sessionId, orgId, workspaceId, createdBy, presetId: standardPresetId, presetRevision: 1, provider, model };
  const data = { ...header, wakes: 1 }; // somebody has written in it, so that it is no draft
  await withOrg(orgId, (tx) => tx.session.create({ data }));
  return { sessionId };
}

/** An organisation with an owner, a workspace, a demo provider and one session: what most tests start from. */
async function createTenant(): Promise<Tenant> {
  const { userId } = await createUser();
  const { orgId, slug } = await createOrg({ userId });
  const { workspaceId } = await createWorkspace(orgId, { createdBy: userId });
  await createProvider(orgId);
  const { sessionId } = await createSession(orgId, { workspaceId, createdBy: userId });
  return { orgId, slug, userId, workspaceId, sessionId };
}

export const factories = { createUser, createOrg, createMembership, createWorkspace, createProvider, createSession, createTenant };
export type Factories = typeof factories;
