import { type ScriptedModel, type ScriptRequest, startScriptedModel } from "@gantry/testing";
import { expect, type Page, test } from "@playwright/test";
import { addMember } from "./support/members.ts";
import { newPerson, signUp } from "./support/people.ts";
import { copyPreset, openView, savePreset, yamlEditor } from "./support/presets.ts";
import { sendMessage, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { addProvider, createEmptyWorkspace } from "./support/setup.ts";

const reviewer = "You are a reviewer. You read and never run anything.";

/** An organisation with a model that answers everything with one word. */
async function startTeam(page: Page): Promise<{ org: string; model: ScriptedModel }> {
  const model = await startScriptedModel(() => ({ text: "Understood." }), { models: ["test-model"] });
  const org = await signUp(page, newPerson());
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["test-model"], key: "a-key" });
  await createEmptyWorkspace(page, org, "files");
  return { org, model };
}

/** What the agent was given for this prompt: its system text and the names of its tools. */
function askedWith(model: ScriptedModel, prompt: string): { system: string; tools: string[] } {
  const isIt = ({ messages, tools }: ScriptRequest) =>
    tools.length > 0 && messages.some((message) => message.role === "user" && message.text.includes(prompt));
  const request = model.requests.findLast(isIt);
  if (!request) throw new Error(`the model was not asked: ${prompt}`);
  return { system: request.system, tools: request.tools.map(({ name }) => name) };
}

async function startOn(page: Page, org: string, preset: string, prompt: string): Promise<string> {
  const id = await startSession(page, { org, prompt, workspace: "files", preset });
  await expect(sessionLog(page)).toContainText("Understood.");
  await waitUntilReady(page);
  return id;
}

test("a changed preset makes new sessions, leaves running ones alone, and is rolled back", async ({ page }) => {
  const { org, model } = await startTeam(page);
  await copyPreset(page, { org, from: "Standard", name: "Team" });
  const before = await startOn(page, org, "Team", "first prompt");
  const old = askedWith(model, "first prompt");
  expect(old.tools).toContain("bash");
  expect(old.system).not.toContain(reviewer);

  await page.goto(`/${org}/admin/presets/team`);
  await page.getByRole("button", { name: "Remove row tool-bash" }).click();
  await page.getByRole("button", { name: /^persona/ }).click();
  await page.getByRole("textbox", { name: "prefix" }).fill(reviewer);
  await page.getByRole("link", { name: "All presets" }).click();
  await page.getByRole("link", { name: "Team", exact: true }).click();
  await expect(page.getByText("Your unsaved changes are back")).toBeVisible();
  await openView(page, "Dry run");
  await expect(page.getByRole("heading", { name: "Changes against revision 1" })).toBeVisible();
  await expect(page.getByRole("region", { name: "persona.config.prefix" })).toContainText(reviewer);
  await savePreset(page, "reviewers run nothing");
  await expect(page.getByText("Saved. New sessions use revision 2")).toBeVisible();

  await startOn(page, org, "Team", "second prompt");
  const changed = askedWith(model, "second prompt");
  expect(changed.tools).not.toContain("bash");
  expect(changed.tools).toContain("read");
  expect(changed.system).toContain(reviewer);

  await page.getByRole("button", { name: /^Preset: Team r2/ }).click();
  await page.getByRole("menuitem", { name: "What this agent has" }).click();
  const agent = page.getByRole("dialog", { name: "What this agent has" });
  await expect(agent.getByRole("region", { name: "Instructions (system prompt)" }).last()).toContainText(reviewer);
  await expect(agent.getByRole("listitem").filter({ hasText: /^read$/ })).toBeVisible();
  await expect(agent.getByRole("listitem").filter({ hasText: /^bash$/ })).toHaveCount(0);

  await page.goto(`/${org}/s/${before}`);
  await expect(page.getByRole("button", { name: /^Preset: Team r1/ })).toContainText("older revision");
  await sendMessage(page, "third prompt");
  await expect(sessionLog(page).getByText("Understood.")).toHaveCount(2);
  const kept = askedWith(model, "third prompt");
  expect(kept).toEqual(old);

  await page.goto(`/${org}/admin/presets/team?view=revisions`);
  const revisions = page.getByRole("list", { name: "Revisions" });
  await expect(revisions.getByText("reviewers run nothing")).toBeVisible();
  await revisions.getByRole("button", { name: "1 session" }).last().click();
  await expect(revisions.getByRole("link", { name: /first prompt/ })).toHaveAttribute("href", `/${org}/s/${before}`);
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Reason (optional)" }).fill("they missed the shell");
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByRole("button", { name: "Roll back to revision 2" })).toBeVisible();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Make it the default" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make it the default" }).click();
  await expect(page.getByRole("main").getByText("Default", { exact: true })).toBeVisible();
  await page.goto(`/${org}`);
  await expect(page.getByLabel("Preset", { exact: true })).toHaveValue("team");

  await startOn(page, org, "Team", "fourth prompt");
  expect(askedWith(model, "fourth prompt")).toEqual(old);
  await model.close();
});

test("a text that does not hold is explained at its line, kept as a draft, and the last valid revision stays", async ({ page }) => {
  const { org, model } = await startTeam(page);
  await copyPreset(page, { org, from: "Standard", name: "Team" });
  await openView(page, "YAML");
  const editor = yamlEditor(page);
  await expect(editor).toContainText("persona");
  await editor.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("# tried today\n- id: wrong\n  name: no-such-plugin\n");
  const problems = page.getByRole("alert").filter({ hasText: "1 problem" });
  await expect(problems).toContainText('No plugin named "no-such-plugin" is in the catalogue.');
  await page.keyboard.press("Control+End");
  await problems.getByRole("button", { name: "Line 3" }).click();
  await expect(editor).toBeFocused();
  await expect(page.locator(".cm-activeLine")).toHaveText("name: no-such-plugin");

  await savePreset(page, "will not work");
  await expect(page.getByText("Not in use: the text is kept as a draft")).toBeVisible();
  await page.reload();
  await expect(page.getByText("You see a draft that no session uses")).toBeVisible();
  await expect(yamlEditor(page)).toContainText("no-such-plugin");
  await page.goto(`/${org}/admin/presets`);
  const item = page.getByRole("listitem").filter({ hasText: "Team" });
  for (const mark of ["In use", "A draft waits", "Revision 1"]) await expect(item).toContainText(mark);
  await startOn(page, org, "Team", "still works");
  expect(askedWith(model, "still works").tools).toContain("bash");

  await page.goto(`/${org}/admin/presets/team?view=yaml`);
  await page.getByRole("button", { name: "Discard the draft" }).click();
  await page.getByRole("dialog", { name: "Discard the draft?" }).getByRole("button", { name: "Discard the draft" }).click();
  await expect(page.getByText("You see a draft that no session uses")).toHaveCount(0);
  await expect(yamlEditor(page)).toContainText("persona");
  await expect(yamlEditor(page)).not.toContainText("no-such-plugin");
  await model.close();
});

test("a session that has produced nothing can change its preset; the log says so", async ({ page }) => {
  const { org, model } = await startTeam(page);
  const sessionId = await createSilently(page, org);
  await page.goto(`/${org}/s/${sessionId}`);
  await page.getByRole("button", { name: /^Preset: Standard/ }).click();
  await page.getByRole("menuitem", { name: /^Minimal/ }).click();
  await expect(page.getByRole("button", { name: /^Preset: Minimal/ })).toBeVisible();
  await sendMessage(page, "now begin");
  await expect(sessionLog(page)).toContainText("The session runs on the preset minimal");
  await waitUntilReady(page);
  expect(askedWith(model, "now begin").tools).not.toContain("read");
  await page.getByRole("button", { name: /^Preset: Minimal/ }).click();
  await expect(page.getByText("The preset is fixed, because the session has begun.")).toBeVisible();
  await model.close();
});

test("a member who is no admin finds no admin pages, and chooses among presets", async ({ page, browser }) => {
  const org = await signUp(page, newPerson());
  const member = await (await browser.newContext()).newPage();
  await signUp(member, newPerson("Grace Hopper"));
  await addMember(page, org, member);
  await member.goto(`/${org}/admin`);
  await expect(member.getByRole("heading", { name: "System", level: 1 })).toBeVisible();
  await expect(member.getByRole("navigation", { name: "Admin" })).toHaveCount(0);
  for (const path of ["presets", "presets/standard", "composition", "plugins", "settings"]) {
    await member.goto(`/${org}/admin/${path}`);
    await expect(member.getByRole("heading", { name: "You cannot open this" })).toBeVisible();
  }
  await expect(page.getByRole("link", { name: "Admin" })).toBeVisible();
  await expect(member.getByRole("link", { name: "Admin" })).toHaveCount(0);
});

/** A session without a prompt: no page makes one, a client of the API may. */
async function createSilently(page: Page, org: string): Promise<string> {
  const workspaces = await page.request.get(`/api/trpc/workspace.list?input=${encodeURIComponent(JSON.stringify({ json: { org } }))}`);
  const { result } = (await workspaces.json()) as { result: { data: { json: { items: { id: string }[] } } } };
  const made = await page.evaluate(
    async ({ org, workspaceId, clientKey }) => {
      const body = JSON.stringify({ json: { org, workspaceId, clientKey } });
      const headers = { "content-type": "application/json", "x-gantry-client": "web" };
      return (await fetch("/api/trpc/session.create", { method: "POST", headers, body })).json();
    },
    { org, workspaceId: result.data.json.items[0]?.id, clientKey: crypto.randomUUID() },
  );
  return (made as { result: { data: { json: { sessionId: string } } } }).result.data.json.sessionId;
}
