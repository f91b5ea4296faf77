import { type ScriptedModel, type ScriptRequest, startScriptedModel } from "@gantry/testing";
import type { Page } from "@playwright/test";
import { newPerson, signUp } from "./people.ts";
import { addProvider, createEmptyWorkspace } from "./setup.ts";

type Script = Parameters<typeof startScriptedModel>[0];

/** An organisation of the person on this page, with a scripted model and an empty workspace "files". */
export async function startTeam(page: Page, script: Script): Promise<{ org: string; model: ScriptedModel }> {
  const model = await startScriptedModel(script, { models: ["test-model"] });
  const org = await signUp(page, newPerson());
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["test-model"], key: "a-key" });
  await createEmptyWorkspace(page, org, "files");
  return { org, model };
}

/** The last message that `prompts` fits (the product tells the model things too), and what the tools answered since. */
export function lastSaid({ messages }: ScriptRequest, prompts: RegExp): { said: string; results: string[] } {
  const at = messages.findLastIndex((message) => message.role === "user" && prompts.test(message.text));
  const said = messages[at];
  const results = messages.slice(at + 1).flatMap((message) => (message.role === "tool" ? [message.text] : []));
  return { said: said?.role === "user" ? said.text : "", results };
}

export const callTool = (name: string, args: object, text = "") => ({ text, toolCalls: [{ name, arguments: args }] });
