import { startScriptedModel, toolResults } from "@gantry/testing";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { hydrated } from "./support/hydrated.ts";
import { newPerson, signUp } from "./support/people.ts";
import { composer, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { addProvider, createEmptyWorkspace } from "./support/setup.ts";

const phone = { width: 360, height: 640 };
/** what a keyboard leaves of it, in a browser that is told to resize the page */
const withKeyboard = { width: 360, height: 340 };

/** Signs up, with a model that works for a while and then answers. */
async function openSession(page: Page): ReturnType<typeof startScriptedModel> {
  const model = await startScriptedModel((request) => {
    const isLong = request.messages.some((message) => message.role === "user" && message.text === "work");
    if (!isLong) return { text: "ready" };
    if (toolResults(request).length > 0) return { text: "all of it is done", delayMs: 20 };
    return { text: "I begin.", toolCalls: [{ name: "bash", arguments: { command: "sleep 300", description: "Wait" } }] };
  });
  const org = await signUp(page, newPerson());
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["test"], key: "a-key" });
  await createEmptyWorkspace(page, org, "field");
  await startSession(page, { org, prompt: "hello", workspace: "field" });
  await expect(sessionLog(page)).toContainText("ready");
  await waitUntilReady(page);
  return model;
}

/** Whether a tap in the middle of it reaches it, and it lies inside what is seen. */
const isReachable = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return top >= 0 && top + height <= innerHeight && left >= 0 && left + width <= innerWidth && element.contains(hit);
  });

test("CP-60 on a phone with its keyboard open the field and Stop are seen, large and on top, and a screen reader hears finished blocks", async ({
  page,
}) => {
  const model = await openSession(page);
  await page.setViewportSize(phone);
  await composer(page).fill("work");
  await page.setViewportSize(withKeyboard);
  await expect.poll(() => isReachable(composer(page))).toBe(true);
  await composer(page).press("Enter");
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  await expect(stop).toBeVisible();
  for (const size of [withKeyboard, phone]) {
    await page.setViewportSize(size);
    await expect.poll(() => isReachable(stop)).toBe(true);
    await expect.poll(() => isReachable(composer(page))).toBe(true);
    const box = await stop.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways").toBe(true);
  }
  const log = page.getByRole("log");
  await expect(log).toHaveAttribute("aria-live", "polite");
  await expect(log).toContainText("I begin.");
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: /Wait|bash|sleep|Running/ })
      .first(),
  ).toHaveAttribute("aria-live", "polite");
  expect(await sessionLog(page).evaluate((region) => region.closest("[aria-hidden=true]") === null)).toBe(true);
  await expectAccessible(page, "a phone while the agent works");
  await page.setViewportSize(withKeyboard);
  await stop.click();
  await expect(sessionLog(page).getByRole("heading", { name: "Stopped" })).toBeVisible();
  await model.close();
});

/** Pastes 20,000 lines into the field that has the focus. Returns the longest task that the page has had since, in milliseconds, whenever it is asked. */
async function pasteLines(page: Page): Promise<() => Promise<number>> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => {
    const seen = globalThis as unknown as { longest: number };
    seen.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask", buffered: false });
    return navigator.clipboard.writeText(Array.from({ length: 20_000 }, (_, line) => `line ${line} of what was pasted`).join("\n"));
  });
  await page.keyboard.press("Control+V");
  return () => page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
}

test("CP-12 twenty thousand pasted lines become a file of the message, and the page goes on at once, in a session and where one begins", async ({
  page,
}) => {
  const model = await openSession(page);
  const home = new URL(page.url()).pathname.replace(/\/s\/.*$/, "");
  const chips = page.getByRole("list", { name: "Attached files" });
  const asked = () => model.requests.filter(({ body }) => JSON.stringify(body).includes("line 123 of what was pasted")).length;
  const newTask = page.getByRole("textbox", { name: "Task for the agent" });
  for (const field of [composer(page), newTask]) {
    if (field === newTask) await page.goto(home);
    await field.focus();
    const before = asked();
    const longest = await pasteLines(page);
    await expect(chips).toContainText("pasted text.txt");
    await field.pressSequentially("what is this?");
    await expect(field).toHaveValue("what is this?");
    expect(await longest()).toBeLessThan(1_000);
    await expect(chips.getByRole("alert")).toHaveCount(0);
    await field.press("Enter");
    await expect(sessionLog(page).getByRole("link", { name: "pasted text.txt" })).toBeVisible();
    await expect(sessionLog(page)).toContainText("what is this?");
    await expect.poll(asked).toBeGreaterThan(before);
  }
  await model.close();
});

test("a file that is refused where a session begins says why, and the session begins without it", async ({ page }) => {
  const model = await openSession(page);
  const first = page.url();
  await page.goto(new URL(first).pathname.replace(/\/s\/.*$/, ""));
  await page.locator("input[type=file]").setInputFiles([
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("remember the milk") },
    { name: "tool.zip", mimeType: "application/zip", buffer: Buffer.from("504b0304", "hex") },
  ]);
  const task = page.getByRole("textbox", { name: "Task for the agent" });
  await task.fill("read this");
  await task.press("Enter");
  const chips = page.getByRole("list", { name: "Attached files" });
  await expect(chips.getByRole("alert")).toContainText("Only images (PNG, JPEG, WebP, GIF) and text files can be attached.");
  await expect(task).toHaveValue("read this");
  await chips.getByRole("button", { name: "Remove tool.zip" }).click();
  await task.press("Enter");
  await expect(sessionLog(page).getByRole("link", { name: "notes.txt" })).toBeVisible();
  expect(page.url()).not.toBe(first);
  await page.goBack();
  await expect(task).toHaveValue("");
  await model.close();
});

test("a message that was not delivered is there when the page is loaded again, which comes up without an error, and is sent once", async ({
  page,
}) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  const model = await openSession(page);
  await page.route("**/api/trpc/session.send**", (route) => route.abort("connectionreset"));
  await composer(page).fill("do not lose this");
  await composer(page).press("Enter");
  const waiting = page.getByRole("list", { name: "Waiting messages" });
  await expect(waiting).toContainText("Not delivered.");
  await page.reload();
  await expect(waiting).toContainText("do not lose this");
  expect(errors).toEqual([]);
  await page.unroute("**/api/trpc/session.send**");
  await waiting.getByRole("button", { name: "Try again" }).click();
  await expect(waiting).toHaveCount(0);
  await expect(sessionLog(page).getByText("do not lose this")).toHaveCount(1);
  await waitUntilReady(page);

  // one that the server has taken and no worker yet, as this tab keeps it
  await page.evaluate(() => {
    const sent = { clientKey: "web-1", text: "on its way", target: "next-turn", state: "sent", messageId: null, why: null };
    sessionStorage.setItem(`gantry-outbox-${location.pathname.split("/").at(-1)}`, JSON.stringify([sent]));
  });
  await page.reload();
  await expect(waiting).toContainText("on its way");
  expect(errors).toEqual([]);
  await model.close();
});

test("a message that is sent before the page has caught up with the session steers what runs", async ({ page }) => {
  const model = await openSession(page);
  await composer(page).fill("work");
  await composer(page).press("Enter");
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible({ timeout: 30_000 });
  const caughtUp = Promise.withResolvers<void>();
  await page.route("**/api/trpc/session.stream**", async (route) => {
    await caughtUp.promise;
    await route.continue().catch(() => undefined); // the page may have asked again meanwhile
  });
  await page.reload();
  await composer(page).fill("and this too");
  const [sent] = await Promise.all([page.waitForRequest("**/api/trpc/session.send**"), composer(page).press("Enter")]);
  expect(sent.postData()).toContain('"target":"next-step"');
  caughtUp.resolve();
  await model.close();
});

test("CP-54 every upload ends in a state that is seen: too large, empty, a name in any script, a lost link, and the repeat", async ({
  page,
}) => {
  const org = await signUp(page, newPerson());
  await page.goto(`/${org}/w`);
  await (await hydrated(page.getByRole("button", { name: "New workspace" }).first())).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("An archive").check({ force: true });
  const file = dialog.getByLabel("Archive", { exact: true });
  await expect(dialog.getByText(/of at most \d+ MB/)).toBeVisible();
  const create = dialog.getByRole("button", { name: "New workspace" });
  const picked = async (name: string, buffer: Buffer) => {
    await file.setInputFiles({ name, mimeType: "application/zip", buffer });
    await create.click();
  };
  await file.evaluate((input: HTMLInputElement) => {
    const huge = new File(["x"], "huge.zip");
    Object.defineProperty(huge, "size", { value: 2 * 1024 ** 3 }); // 2 GB that need not be there
    Object.defineProperty(input, "files", { value: [huge], configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expect(dialog.getByRole("alert")).toContainText("huge.zip has 2048 MB.");
  await file.evaluate((input: HTMLInputElement) => void Reflect.deleteProperty(input, "files"));
  await picked("nothing.zip", Buffer.alloc(0));
  await expect(dialog.getByRole("alert")).toContainText("nothing.zip is empty.");

  const empty = Buffer.concat([Buffer.from("PK\u0005\u0006"), Buffer.alloc(18)]);
  await picked("no-archive.zip", empty);
  await expect(dialog.getByRole("alert")).toContainText(/neither a \.zip nor a \.tar\.gz/);
  const name = "проект 名前 مشروع";
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await page.route("**/api/upload?**", (route) => route.abort("connectionreset"));
  await picked(`${name}.zip`, archive());
  await expect(dialog.getByRole("alert")).toContainText("The upload was cut off.");
  await page.unroute("**/api/upload?**");
  await create.click();
  await page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  // its files are there: what is missing for a session is a model
  await expect(page.getByRole("heading", { name: "First, a model" })).toBeVisible();
});

/** A zip with one file, `a` with the text `a`. */
function archive(): Buffer {
  const crc = Buffer.from("43beb7e8", "hex");
  const sizes = Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]), crc, sizes]);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, Buffer.from("aa")]);
  const entry = Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0003"), common, Buffer.alloc(14), Buffer.from("a")]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from("PK\u0005\u0006"), end]);
}
