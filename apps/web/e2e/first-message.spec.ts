import { startScriptedModel } from "@gantry/testing";
import { expect, test } from "@playwright/test";
import { hydrated } from "./support/hydrated.ts";
import { newPerson, signUp } from "./support/people.ts";
import { sessionLog, waitUntilReady } from "./support/session.ts";
import { addProvider, createEmptyWorkspace } from "./support/setup.ts";

test("AG-245 a first message whose answers are lost on the way is asked again, and there is one session with one message and its file", async ({
  page,
}) => {
  const model = await startScriptedModel(() => ({ text: "Noted." }), { models: ["test-model"] });
  const org = await signUp(page, newPerson());
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["test-model"], key: "a-key" });
  await createEmptyWorkspace(page, org, "files");
  for (const call of ["session.create", "session.send"]) {
    await page.route(
      `**/api/trpc/${call}**`,
      async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      },
      { times: 1 },
    );
  }
  await page.goto(`/${org}`);
  const task = await hydrated(page.getByRole("textbox", { name: "Task for the agent" }));
  await task.fill("keep this");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("remember the milk") });
  const problem = page.getByRole("alert").filter({ hasText: /\S/ });
  for (const call of ["session.create", "session.send"]) {
    await Promise.all([page.waitForEvent("requestfailed", (request) => request.url().includes(call)), task.press("Enter")]);
    await expect(problem).toBeVisible();
    await expect(page.getByRole("button", { name: "Start session" })).toBeEnabled();
  }
  await task.press("Enter");
  await page.waitForURL(/\/s\/[0-9a-f-]{36}$/);
  await expect(sessionLog(page).getByRole("link", { name: "notes.txt" })).toHaveCount(1);
  await expect(sessionLog(page).getByText("keep this")).toHaveCount(1);
  await expect(sessionLog(page)).toContainText("Noted.");
  await waitUntilReady(page);
  await page.goto(`/${org}`);
  await expect(page.locator('main a[href*="/s/"]')).toHaveCount(1);
  await model.close();
});
