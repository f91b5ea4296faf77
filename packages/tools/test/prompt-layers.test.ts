import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, createScope, isKernelError } from "@gantry/kernel";
import { openRoot } from "./support/root.ts";

const bare = { includeHarnessIdentity: false };

async function open(t: { after(fn: () => Promise<void>): void }, prompt: object = bare) {
  const root = await openRoot({ prompt });
  t.after(() => root.close());
  const assemble = (scope?: object) => root.ctx.systemPrompt.assemble(scope ? { scope } : {});
  return { ...root, assemble };
}

test("P-2 all four registries are layered: the nearest of a name wins, and one layer holds a name once", async (t) => {
  const { ctx, assemble } = await open(t);
  const preset = createScope(ctx, {});
  const agent = createScope(ctx, {}, { parent: preset.key });
  const schema = (description: string) => ({ name: "t", description, parameters: { type: "object" } as const });
  const fill = (at: Context, who: string) => {
    at.systemPrompt.section({ name: "s", order: 1, text: `${who} says {{v}}` });
    at.systemPrompt.context({ name: "c", order: 1, text: who });
    at.systemPrompt.variable("v", () => who);
    at.systemPrompt.tools("p", () => ({ schemas: [schema(who)], known: ["t"] }));
  };
  fill(ctx, "org");
  fill(preset.ctx, "preset");
  const told = async (scope?: object) => {
    const { system, contexts, tools } = await assemble(scope);
    return [system, contexts[0]?.text, tools[0]?.description].join(", ");
  };
  assert.deepEqual([await told(), await told(agent.key)], ["org says org, org, org", "preset says preset, preset, preset"]);
  agent.ctx.systemPrompt.variable("v", () => "agent");
  assert.equal(await told(agent.key), "preset says agent, preset, preset", "a variable may be shadowed without its section");
  const taken = (error: unknown) => isKernelError(error, "NAME_TAKEN");
  for (const at of [ctx, preset.ctx]) {
    assert.throws(() => at.systemPrompt.section({ name: "s", order: 2, text: "" }), taken);
    assert.throws(() => at.systemPrompt.context({ name: "c", order: 2, text: "" }), taken);
    assert.throws(() => at.systemPrompt.variable("v", () => ""), taken);
    assert.throws(() => at.systemPrompt.tools("p", () => ({ schemas: [], known: [] })), taken);
  }
  await Promise.all([agent.dispose(), preset.dispose()]);
  assert.equal(await told(agent.key), "org says org, org, org");
});

test("P-5 a complete section counts where it is in effect: shadowed it is none, and a second one of another layer is too many", async (t) => {
  const { ctx, assemble } = await open(t);
  ctx.systemPrompt.section({ name: "other", order: 1, text: "Other." });
  const preset = createScope(ctx, {});
  const agent = createScope(ctx, {}, { parent: preset.key });
  preset.ctx.systemPrompt.section({ name: "whole", order: 2, text: "Only this.", complete: true });
  assert.deepEqual([(await assemble()).system, (await assemble(agent.key)).system], ["Other.", "Only this."]);
  const lift = agent.ctx.systemPrompt.section({ name: "whole", order: 2, text: "A part." });
  assert.equal((await assemble(agent.key)).system, "Other.\n\nA part.");
  await lift();
  agent.ctx.systemPrompt.section({ name: "whole too", order: 3, text: "No, this.", complete: true });
  await assert.rejects(assemble(agent.key), /"whole", "whole too"/);
  assert.equal((await assemble(preset.key)).system, "Only this.", "elsewhere nothing is wrong");
  await Promise.all([agent.dispose(), preset.dispose()]);
});

test("P-5 a listener cannot add a second complete section unnoticed, nor take the first one's place", async (t) => {
  const { ctx, assemble } = await open(t);
  ctx.systemPrompt.section({ name: "whole", order: 2, text: "Only this.", complete: true });
  ctx.on("system-prompt/assemble", async (_request, next) => {
    const assembly = await next();
    return { ...assembly, sections: [{ name: "usurper", text: "No, this.", complete: true }, ...assembly.sections] };
  });
  await assert.rejects(assemble(), /"usurper", "whole"/);
});

test("P-6 suppressed contexts stay empty for every scope below, until the one that suppresses unloads", async (t) => {
  const { ctx, assemble } = await open(t);
  let asked = 0;
  ctx.systemPrompt.context({
    name: "c",
    order: 1,
    text: () => {
      asked++;
      return "told";
    },
  });
  const preset = createScope(ctx, {});
  const agent = createScope(ctx, {}, { parent: preset.key });
  const lift = preset.ctx.systemPrompt.suppressRuntimeContext();
  agent.ctx.systemPrompt.context({ name: "own", order: 2, text: "its own" });
  ctx.on("system-prompt/assemble", async (_request, next) => {
    const assembly = await next();
    return { ...assembly, contexts: [...assembly.contexts, { name: "added", text: "added" }] };
  });
  const told = async (scope?: object) => (await assemble(scope)).contexts.map(({ name }) => name);
  assert.deepEqual([await told(agent.key), asked], [[], 0]);
  assert.deepEqual(await told(), ["c", "added"], "the others are told");
  await lift();
  assert.deepEqual(await told(agent.key), ["c", "own", "added"]);
  await Promise.all([agent.dispose(), preset.dispose()]);
});

test("P-7 KN-061 names of prototypes are unknown to the registry itself, and a value is never read again", async (t) => {
  const { ctx, assemble } = await open(t);
  let asked = 0;
  ctx.systemPrompt.variable("quoted", () => {
    asked++;
    return "{{constructor}} {{quoted}} $& $1";
  });
  const undo = ctx.systemPrompt.section({ name: "persona", order: 1, text: "<{{quoted}}|{{quoted}}> {{" });
  assert.equal((await assemble()).system, "<{{constructor}} {{quoted}} $& $1|{{constructor}} {{quoted}} $& $1> {{");
  assert.equal(asked, 1, "a variable is asked once an assembly");
  await undo();
  for (const name of ["constructor", "valueof", "__proto__", "has_own_property", "toString"]) {
    const lift = ctx.systemPrompt.section({ name: "persona", order: 1, text: `a {{${name}}} b` });
    await assert.rejects(assemble(), /prompt section "persona"/, name);
    await lift();
  }
  for (const name of ["Upper", "with-dash", "1st", ""]) assert.throws(() => ctx.systemPrompt.variable(name, () => ""), /no name/);
  ctx.systemPrompt.variable("constructor", () => "declared");
  ctx.systemPrompt.section({ name: "persona", order: 1, text: "{{constructor}}" });
  assert.equal((await assemble()).system, "declared", "a variable that somebody declared is known, whatever its name");
});

test("P-4 what a text or a variable throws fails the assembly; an abort does before anything is asked", async (t) => {
  const { ctx } = await open(t);
  const lift = ctx.systemPrompt.section({ name: "s", order: 1, text: () => Promise.reject(new Error("no text today")) });
  await assert.rejects(ctx.systemPrompt.assemble(), /no text today/);
  await assert.rejects(ctx.systemPrompt.assemble({ signal: AbortSignal.abort(new Error("stopped")) }), /stopped/);
  await lift();
  for (const order of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => ctx.systemPrompt.section({ name: "s", order, text: "" }), /finite/);
    assert.throws(() => ctx.systemPrompt.context({ name: "c", order, text: "" }), /finite/);
  }
});

test("P-8 a toolOrder that lists a name or the rest twice fails the load", async () => {
  for (const toolOrder of [["read", "<unlisted-tools>", "read"], ["<unlisted-tools>", "<unlisted-tools>"], []]) {
    await assert.rejects(openRoot({ prompt: { toolOrder } }), /toolOrder/);
  }
});
