import { expect, type Locator, type Page } from "@playwright/test";

export type NewSession = { org: string; prompt: string; workspace?: string; model?: string; preset?: string };

/** Starts a session on the organisation's home. Returns its id; its page is then open. */
export async function startSession(page: Page, { org, prompt, workspace, model, preset }: NewSession): Promise<string> {
  await page.goto(`/${org}`);
  await page.getByRole("textbox", { name: "Task for the agent" }).fill(prompt);
  if (workspace) await page.getByLabel("Workspace", { exact: true }).selectOption({ label: workspace });
  if (model) await page.getByLabel("Model", { exact: true }).selectOption({ label: model });
  if (preset) await page.getByLabel("Preset", { exact: true }).selectOption({ label: preset });
  await page.getByRole("button", { name: "Start session" }).click();
  await page.waitForURL(/\/s\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

export const sessionLog = (page: Page): Locator => page.getByRole("region", { name: "Session log" });
export const composer = (page: Page): Locator => page.getByRole("textbox", { name: "Message to the agent" });

/** Sends a message; while the agent works it steers, unless `queue`. */
export async function sendMessage(page: Page, text: string, { queue = false } = {}): Promise<void> {
  await composer(page).fill(text);
  if (queue) await page.getByRole("button", { name: "Queue next" }).click();
  else await composer(page).press("Enter");
  // a question to people may stand in its place by now
  await expect(page.locator("textarea[data-composer]")).toHaveValue("");
}

/** Waits until the last turn has settled: nothing runs and nothing is on its way. */
export async function waitUntilReady(page: Page, timeoutMs = 120_000): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: /^Ready$/ })).toBeVisible({ timeout: timeoutMs });
}

/** Opens the work of every settled turn that is in view. */
export async function openTurns(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: /^Worked/ }).first()).toBeVisible();
  const folded = page.getByRole("button", { name: /^Worked/, expanded: false });
  while ((await folded.count()) > 0) await folded.first().click();
}

/** Presses Stop and waits until the turn says that it was stopped. */
export async function stopTurn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(sessionLog(page).getByRole("heading", { name: "Stopped" })).toBeVisible();
}
