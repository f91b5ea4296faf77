import type { CommandPayload, OrgId } from "@gantry/contracts";
import { type PromptAnswer, readPrompt, takeAnswer, withOrg } from "@gantry/db";
import type { Ref } from "./holder.ts";

type Post = (payload: CommandPayload) => Promise<void>;

/** The questions of a session that nobody has answered, oldest first. */
export const openPrompts = ({ orgId, sessionId }: Ref) =>
  withOrg(orgId, (tx) => tx.pendingPrompt.findMany({ where: { orgId, sessionId, state: "pending" }, orderBy: { createdAt: "asc" } }));

/** A person's answer to the one open question, as the service stores it. */
export async function answerOpen(ref: Ref, answer: PromptAnswer, { by, post }: { by: string; post: Post }): Promise<string> {
  const [prompt] = await openPrompts(ref);
  if (!prompt) throw new Error("nothing is asked");
  const { orgId } = ref;
  const taken = await withOrg(orgId, (tx) => takeAnswer(tx, { orgId, promptId: prompt.id, binding: prompt.binding, answer, by }));
  if (!taken) throw new Error("the answer did not count");
  await post({ kind: "answer", promptId: prompt.id });
  return prompt.id;
}

export const stateOf = async ({ orgId, sessionId }: Ref, promptId: string) => (await readPrompt(orgId, sessionId, promptId))?.state;

/** Lays rules of an org over what ships. */
export async function setRules(asOwner: AsOwner, orgId: OrgId, rules: readonly object[]): Promise<void> {
  const source = JSON.stringify([{ id: "permission-rules", config: { rules } }]);
  const columns = "(org_id, profile, kind, revision, bundles, source)";
  await asOwner(orgId, `INSERT INTO composition_revisions ${columns} VALUES ($1, 'web', 'org', 1, '{}', $2)`, [orgId, source]);
  await asOwner(orgId, "INSERT INTO composition_pointers VALUES ($1, 'web', 'org', 1)", [orgId]);
}
type AsOwner = (orgId: OrgId, sql: string, values: unknown[]) => Promise<unknown>;
