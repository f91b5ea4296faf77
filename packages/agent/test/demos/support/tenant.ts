import { composeOrg, dumpJson, dumpText } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { KernelLogger } from "@gantry/kernel";
import { type DemoOrg, openOrg } from "./org.ts";

/** An org whose mark is in the name of each thing that it has of its own, so that finding it elsewhere is a leak. */
export type Tenant = DemoOrg & {
  name: string;
  mark: string;
  orgId: OrgId;
  /** of its log */
  lines: string[];
  /** what its people and models were answered */
  answers: string[];
};

export async function openTenant({ name, mark, orgId }: { name: string; mark: string; orgId: OrgId }): Promise<Tenant> {
  const lines: string[] = [];
  const write = (fields: object, message?: string) => {
    const { err, error } = fields as { err?: unknown; error?: unknown };
    lines.push(`${message} ${JSON.stringify(fields)} ${Object(err ?? error).stack ?? ""}`);
  };
  const logger: KernelLogger = { debug: write, info: write, warn: write, error: write };
  const org = await openOrg({ orgId, persona: `You work for ${mark}.`, tools: ["shared", `own_${mark}`] }, logger);
  return { ...org, name, mark, orgId, lines, answers: [] };
}

/** Everything of an org that its people, its log readers or its models can see. */
export async function visibleTo(tenant: Tenant, agents: readonly object[]): Promise<Record<string, string>> {
  const { root, ctx, dump, lines, answers } = tenant;
  const composition = composeOrg(dump);
  const prompts = await Promise.all([undefined, ...agents].map((scope) => ctx.systemPrompt.assemble(scope ? { scope } : {})));
  return {
    tools: JSON.stringify([undefined, ...agents].map((scope) => [ctx.tools.schemas(scope), ctx.tools.knownNames(scope)])),
    prompts: JSON.stringify(prompts),
    dump: dumpText(composition, { resolved: true }) + JSON.stringify(dumpJson(composition, { resolved: true })),
    diagnosis: JSON.stringify(root.inspect()),
    errors: answers.join("\n"),
    log: lines.join("\n"),
  };
}
