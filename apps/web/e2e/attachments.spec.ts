import { startScriptedModel } from "@gantry/testing";
import { pngImage } from "@gantry/testing/png-image";
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { newPerson, signUp } from "./support/people.ts";
import { composer, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { addProvider, createEmptyWorkspace } from "./support/setup.ts";

test("a person attaches a picture and a text; the model gets both, the page shows both, and a refusal says why", async ({ page }) => {
  const picture = pngImage(60, 40, 120);
  const model = await startScriptedModel(({ body }) => ({ text: JSON.stringify(body).includes("image_url") ? "I see it." : "Nothing." }), {
    models: ["gpt-4o"],
  });
  const org = await signUp(page, newPerson());
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["gpt-4o"], key: "a-key" });
  await createEmptyWorkspace(page, org, "files");
  await startSession(page, { org, prompt: "hello", workspace: "files" });
  await expect(sessionLog(page)).toContainText("Nothing.");
  await waitUntilReady(page);

  const picker = page.locator("input[type=file]");
  await picker.setInputFiles([
    { name: "shot.png", mimeType: "image/png", buffer: picture },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("remember the milk") },
    { name: "tool.zip", mimeType: "application/zip", buffer: Buffer.from("504b0304", "hex") },
  ]);
  const chips = page.getByRole("list", { name: "Attached files" });
  await expect(chips.getByRole("alert")).toContainText("Only images (PNG, JPEG, WebP, GIF) and text files can be attached.");
  await chips.getByRole("button", { name: "Remove tool.zip" }).click();
  await composer(page).fill("what is this?");
  await composer(page).press("Enter");
  await expect(sessionLog(page)).toContainText("I see it.");

  const asked = JSON.stringify(model.requests.at(-1)?.body);
  expect(asked).toContain(picture.toString("base64"));
  expect(asked).toContain("remember the milk");
  await expect(sessionLog(page)).not.toContainText("remember the milk");
  await expect(sessionLog(page).getByRole("link", { name: "notes.txt" })).toBeVisible();
  const shown = sessionLog(page).getByRole("img", { name: "shot.png" });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(60);
  await page.reload();
  await shown.click();
  const large = page.getByRole("dialog", { name: "shot.png" });
  await expect(large.getByRole("img", { name: "shot.png" })).toBeVisible();
  await expectAccessible(page, "a picture opened large");
  await page.keyboard.press("Escape");
  await expect(sessionLog(page).getByRole("button", { name: "shot.png" })).toBeFocused();
  await model.close();
});
