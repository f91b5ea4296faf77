import { expect, type Page } from "@playwright/test";
import { hydrated } from "./hydrated.ts";

/** Adds the scripted demo provider through the form. */
export async function addDemoProvider(page: Page, org: string): Promise<void> {
  await page.goto(`/${org}/settings/models?add=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Kind").selectOption("demo");
  await dialog.getByLabel("Name", { exact: true }).fill("Scripted demo");
  await dialog.getByLabel("Short name").fill("demo");
  await saveProvider(page, "Scripted demo");
}

export type ProviderSettings = { name: string; slug: string; baseUrl: string; models: string[]; key: string };

/** Adds an OpenAI-compatible provider through the form; its live check has to pass. */
export async function addProvider(page: Page, org: string, provider: ProviderSettings): Promise<void> {
  await page.goto(`/${org}/settings/models?add=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Kind").selectOption("openai_compatible");
  await dialog.getByLabel("Name", { exact: true }).fill(provider.name);
  await dialog.getByLabel("Short name").fill(provider.slug);
  await dialog.getByLabel("Base URL").fill(provider.baseUrl);
  await dialog.getByLabel("Model ids").fill(provider.models.join("\n"));
  await dialog.getByLabel("API key").fill(provider.key);
  await saveProvider(page, provider.name);
}

async function saveProvider(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Check and save" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("heading", { name })).toBeVisible();
}

/** Creates an empty workspace through the form and opens it. Returns its id. */
export async function createEmptyWorkspace(page: Page, org: string, name: string): Promise<string> {
  await openCreateDialog(page, org);
  return finishWorkspace(page, name);
}

/** Uploads an archive as a new workspace and waits until its files are imported. Returns its id. */
export async function uploadWorkspace(page: Page, org: string, name: string, archivePath: string): Promise<string> {
  await openCreateDialog(page, org);
  await page.getByLabel("An archive").check({ force: true });
  await page.getByLabel("Archive", { exact: true }).setInputFiles(archivePath);
  const id = await finishWorkspace(page, name);
  await expect(page.getByRole("textbox", { name: "Task for the agent" })).toBeVisible();
  return id;
}

async function openCreateDialog(page: Page, org: string): Promise<void> {
  await page.goto(`/${org}/w`);
  await (await hydrated(page.getByRole("button", { name: "New workspace" }).first())).click();
}

async function finishWorkspace(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "New workspace" }).click();
  await page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}
