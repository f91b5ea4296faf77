import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";

export type Person = { name: string; email: string; password: string; orgName: string };

/** A person nobody has been before, with an organisation of their own. */
export function newPerson(name = "Ada Lovelace"): Person {
  const id = randomUUID().slice(0, 8);
  return { name, email: `${id}@example.test`, password: `correct horse ${id}`, orgName: `Team ${id}` };
}

/** Creates the account through the form. Returns the slug of the organisation whose home is then open. */
export async function signUp(page: Page, person: Person): Promise<string> {
  await page.goto("/signup");
  await page.getByLabel("Organisation name").fill(person.orgName);
  await page.getByLabel("Your name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
  return orgHome(page);
}

/** Signs in through the form. Returns the slug of the first organisation, whose home is then open. */
export async function signIn(page: Page, person: Pick<Person, "email" | "password">): Promise<string> {
  await page.goto("/signin");
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  return orgHome(page);
}

/** Signs out through the menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in to Gantry" })).toBeVisible();
}

async function orgHome(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "What should be done?" })).toBeVisible();
  const slug = new URL(page.url()).pathname.split("/")[1];
  if (!slug) throw new Error(`signed in, but the address names no organisation: ${page.url()}`);
  return slug;
}
