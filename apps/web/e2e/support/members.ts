import type { OrgId, UserId } from "@gantry/contracts";
import { factories } from "@gantry/testing/db-factories";
import { expect, type Page } from "@playwright/test";

type Me = { user: { id: UserId }; orgs: { id: OrgId; slug: string }[] };

/** Who is signed in on this page. */
async function whoIs(page: Page): Promise<Me> {
  const answer = await page.request.get("/api/trpc/me.get");
  expect(answer.ok()).toBe(true);
  const { result } = (await answer.json()) as { result: { data: { json: Me } } };
  return result.data.json;
}

/** Makes the person of `member` a member, without admin rights, of the organisation that `owner` looks at. Straight in the database: no page invites yet. */
export async function addMember(owner: Page, org: string, member: Page): Promise<void> {
  const [{ orgs }, { user }] = [await whoIs(owner), await whoIs(member)];
  const joined = orgs.find(({ slug }) => slug === org);
  if (!joined) throw new Error(`the owner is in no organisation ${org}`);
  await factories.createMembership(joined.id, user.id, "member");
}
