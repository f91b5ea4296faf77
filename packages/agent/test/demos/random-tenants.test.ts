import assert from "node:assert/strict";
import { createHash, randomInt, randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { OrgId } from "@gantry/contracts";
import type { Agent } from "../../src/loop/agent.ts";
import type { PresetRef } from "../../src/presets/preset-ref.ts";
import { shellPreset } from "./support/org.ts";
import { openTenant, type Tenant, visibleTo } from "./support/tenant.ts";
import { callTool, plainTool } from "./support/world.ts";

type Random = (below: number) => number;

/** Whole numbers below a limit; a seed gives the same ones each time. */
function randomFrom(seed: string): Random {
  let drawn = 0;
  return (below) => createHash("sha256").update(`${seed}/${drawn++}`).digest().readUInt32BE() % below;
}

/** One org's part: whatever it does, and whatever goes wrong with it, is told in its own words. */
class Work {
  readonly tenant: Tenant;
  readonly agents: Agent[] = [];
  private readonly random: Random;
  private made = 0;

  constructor(tenant: Tenant, random: Random) {
    this.tenant = tenant;
    this.random = random;
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      if (this.random(3) === 0) await new Promise(setImmediate);
      const answer = await this.act(this.random(10)).catch((error: Error) => `${error.stack}`);
      if (typeof answer === "string") this.tenant.answers.push(answer);
    }
    // Chance alone may leave an org without an answer: the last one is certain, and names it.
    const { ctx, answers, mark } = this.tenant;
    answers.push(await callTool(ctx, `missing_${mark}`));
  }

  private async act(kind: number): Promise<unknown> {
    const { tenant, random, agents } = this;
    const { ctx, root, mark } = tenant;
    const agent = agents[random(Math.max(agents.length, 1))];
    if (kind < 3 || !agent) return agents.push(await tenant.agent(`session-${++this.made}`, this.preset()));
    const own = agent.ctx;
    switch (kind) {
      case 3:
        return callTool(ctx, ["shared", `own_${mark}`, `saw_${mark}`, "nowhere"][random(4)] ?? "", agent);
      case 4:
        return void own.tools.register(plainTool(`late_${mark}_${random(2)}`, mark));
      case 5:
        return void own.tools.restrict({ deny: [random(2) ? "shared" : "nowhere"] });
      case 6:
        return void own.tools.guard(({ name }) => (random(2) ? `${name} is closed by ${mark}` : undefined));
      case 7:
        return void own.systemPrompt.section({ name: `s${random(2)}`, order: 300, text: `Heed ${mark}.` });
      case 8:
        return random(2) ? root.switchPreset(agent, this.preset()) : root.retirePresets((_id, revision) => revision > random(3));
      default:
        agents.splice(agents.indexOf(agent), 1);
        return root.disposeAgent(agent);
    }
  }

  /** The same ids in every org; a broken one now and then. */
  private preset(): PresetRef {
    const { mark } = this.tenant;
    const slug = ["workshop", "parlour", "careless"][this.random(3)] ?? "";
    const shell = { kind: `shell_${mark}`, tool: `saw_${mark}`, isolated: slug !== "careless" };
    return { ...shellPreset(slug, shell), revision: 1 + this.random(3) };
  }
}

async function play(t: TestContext, seed: string): Promise<void> {
  const orgIds = [randomUUID(), randomUUID()] as OrgId[];
  const tenants = await Promise.all(orgIds.map((orgId, at) => openTenant({ name: seed, mark: `mark${at}${orgId.slice(0, 8)}`, orgId })));
  t.after(() => Promise.all(tenants.map(({ root }) => root.close())));
  const works = tenants.map((tenant, at) => new Work(tenant, randomFrom(`${seed}/${at}`)));
  await Promise.all(works.map((work) => work.run(60)));
  for (const { tenant, agents } of works) {
    const others = tenants.filter((one) => one !== tenant);
    for (const [what, text] of Object.entries(await visibleTo(tenant, agents))) {
      assert.ok(what === "log" || text.includes(tenant.mark), `seed ${seed}: ${what} says nothing of its own org`);
      const found = others.flatMap(({ mark, orgId }) => [mark, orgId]).filter((canary) => text.includes(canary));
      assert.deepEqual(found, [], `seed ${seed}: ${what} of the other org`);
    }
  }
}

test("KN-104 whatever two orgs do at once, nothing of one is in an answer, a list, a dump or a line of the other, fixed seeds", async (t) => {
  for (let seed = 1; seed <= 15; seed++) await play(t, `${seed}`);
});

test("KN-104 the same, rotating seeds", async (t) => {
  const first = randomInt(1_000_000_000);
  t.diagnostic(`seeds ${first} to ${first + 14}`);
  for (let seed = first; seed < first + 15; seed++) await play(t, `${seed}`);
});
