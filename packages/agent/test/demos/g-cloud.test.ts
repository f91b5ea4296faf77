import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrgId } from "@gantry/contracts";
import { type Context, isKernelError } from "@gantry/kernel";
import { shellPreset } from "./support/org.ts";
import { startStory } from "./support/story.ts";
import { openTenant, type Tenant, visibleTo } from "./support/tenant.ts";
import { callTool, plainTool, toolNames } from "./support/world.ts";

const orgs = {
  Alder: { mark: "alder7c1", orgId: "0190a0a0-0000-7000-8000-00000000000a" as OrgId },
  Birch: { mark: "birch9e4", orgId: "0190a0a0-0000-7000-8000-00000000000b" as OrgId },
};

test("(g) two orgs with the same ids at once: what one has of its own shows in no list, dump, error or line of the other", async (t) => {
  const story = startStory("g");
  const tenants = await Promise.all([openTenant({ name: "Alder", ...orgs.Alder }), openTenant({ name: "Birch", ...orgs.Birch })]);
  const [alder, birch] = tenants;
  t.after(() => Promise.all(tenants.map(({ root }) => root.close())));

  story.chapter("1. the same presets and sessions in both, made at the same time");
  const preset = ({ mark }: Tenant) => shellPreset("workshop", { kind: `shell_${mark}`, tool: `saw_${mark}` });
  const agents = await Promise.all(tenants.flatMap((tenant) => ["session-1", "session-2"].map((id) => tenant.agent(id, preset(tenant)))));
  const agentsOf = (tenant: Tenant) => agents.filter(({ orgId }) => orgId === tenant.orgId);
  for (const tenant of tenants) {
    const [one, two] = agentsOf(tenant);
    assert.ok(one && two);
    for (const agent of [one, two]) story.line(`${tenant.name} ${agent.sessionId}`, toolNames(tenant.ctx, agent));
    assert.equal(tenant.root.serviceFor(one, "shell"), tenant.root.serviceFor(two, "shell"));
    story.line("", `its shell is a ${tenant.root.serviceFor(one, "shell")?.kind}`);
  }

  story.chapter("2. a listener, a guard and a limit in Alder; the same calls in both");
  const [limited] = agentsOf(alder);
  assert.ok(limited);
  let heard = 0;
  alder.ctx.on("tools/result", () => void heard++);
  alder.ctx.tools.guard(({ name }) => (name === "shared" ? `closed by ${alder.mark}` : undefined));
  limited.ctx.tools.restrict({ deny: [`own_${alder.mark}`] });
  for (const tenant of tenants) {
    for (const agent of agentsOf(tenant)) {
      const answers = [await callTool(tenant.ctx, "shared", agent), await callTool(tenant.ctx, `saw_${tenant.mark}`, agent)];
      story.line(`${tenant.name} ${agent.sessionId}`, answers);
      tenant.answers.push(...answers);
    }
  }
  assert.equal(heard, 4, "Alder's listener heard Alder's calls alone");

  story.chapter("3. an agent of Alder comes to Birch's registry");
  const answer = await callTool(birch.ctx, "shared", limited);
  birch.answers.push(answer);
  story.line("Birch answers", answer);
  assert.deepEqual([heard, birch.lines.filter((line) => line.includes("TENANT_MISMATCH")).length], [4, 1]);

  story.chapter("4. mistakes in both, each told with what the org has itself");
  for (const tenant of tenants) {
    await mistakes(tenant, agentsOf(tenant)[1]?.ctx as Context);
    story.line(tenant.name, `${tenant.answers.filter((text) => text.includes(tenant.mark)).length} texts name something of its own`);
  }

  story.chapter("5. the marks of each org in everything that the other can see");
  for (const [tenant, other] of [
    [alder, birch],
    [birch, alder],
  ] as const) {
    for (const [what, text] of Object.entries(await visibleTo(tenant, agentsOf(tenant)))) {
      assert.ok(text.includes(tenant.mark), `${tenant.name}'s own mark is in its ${what}, so a foreign one would show`);
      const found = [other.mark, other.orgId].filter((canary) => text.includes(canary));
      story.line(`${tenant.name}: ${what}`, `${found.length} of ${other.name}`);
      assert.deepEqual(found, [], `${what} of ${tenant.name}`);
    }
  }

  story.chapter("6. Alder closes; Birch goes on");
  await alder.root.close();
  const [left] = agentsOf(birch);
  story.line("Birch session-1", await callTool(birch.ctx, `saw_${birch.mark}`, left));
  assert.equal(birch.root.generations()[0]?.users, 2);
  story.end();
});

/** Makes the errors that list what there is, and a few that are only logged. */
async function mistakes(tenant: Tenant, scoped: Context): Promise<void> {
  const { ctx, mark, answers, agent } = tenant;
  const failing = [
    () => scoped.tools.restrict({ deny: ["nowhere"] }),
    () => ctx.tools.restrict({ deny: ["shared"] }),
    () => ctx.tools.register(plainTool(`own_${mark}`, "again")),
    () => agent("session-1", shellPreset("workshop", { kind: "k" })),
    () => agent("session-3", { ...shellPreset("broken", { kind: `loose_${mark}`, isolated: false }) }),
    () => agent("session-4", { ...shellPreset("unknown", { kind: "k" }), mounts: [{ id: `row-${mark}`, name: `plugin-${mark}` }] }),
  ];
  for (const fail of failing) {
    await assert.rejects(
      async () => void (await fail()),
      (error: Error) => {
        answers.push(`${isKernelError(error) ? error.code : ""} ${error.stack}`);
        return true;
      },
    );
  }
  ctx.on("tools/change", () => {
    throw new Error(`a listener of ${mark} fails`);
  });
  await ctx.tools.register(plainTool(`late_${mark}`, "late"))();
}
