import { type ScriptRequest, startScriptedModel, toolResults } from "@gantry/testing";
import { expect, type Page, test } from "@playwright/test";
import { killWorker, workspaceFile } from "./support/installation.ts";
import { brokenPackage } from "./support/package-fixture.ts";
import { newPerson, signIn, signUp } from "./support/people.ts";
import { openTurns, sendMessage, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { addProvider, uploadWorkspace } from "./support/setup.ts";

const { archive, right, wrong } = brokenPackage();
const finalText = "The comparison in go() let one callback too many start. I corrected it, and all five tests pass.";
const todos = (status: "in_progress" | "completed") => ({
  todos: [
    { content: "Find out why the tests fail", status },
    { content: "Correct the source and run the tests", status: status === "completed" ? status : "pending" },
  ],
});
const call = (name: string, args: object, text = "") => ({ text, chunkSize: 4, delayMs: 20, toolCalls: [{ name, arguments: args }] });
const runTests = (text: string) => call("bash", { command: "npm test", description: "Run the package's own tests" }, text);

/** What the model does next, read from the history alone, so that a restarted session goes on where it was. */
function script(request: ScriptRequest) {
  if (request.messages.some((message) => message.role === "user" && message.text.includes("say hello"))) return { text: "Hello again." };
  const results = toolResults(request).filter(({ text }) => !text.startsWith("Error:"));
  const count = (name: string) => results.filter((result) => result.name === name).length;
  if (count("todo_write") === 0) return { ...call("todo_write", todos("in_progress")), reasoning: "First a plan, then the failing test." };
  if (count("read") === 0) return call("read", { file_path: "index.js" }, "I look at the source first.");
  if (count("bash") === 0) return runTests("Now I run the tests to see them fail.");
  if (count("edit") === 0) return call("edit", { file_path: "index.js", old_string: wrong, new_string: right }, "The limit is off by one.");
  if (count("bash") === 1) return runTests("I run the tests again.");
  if (count("todo_write") === 1) return call("todo_write", todos("completed"));
  return { text: finalText, chunkSize: 4, delayMs: 20 };
}

/** What the log says, without how long ago it was. */
const shownLog = (page: Page) =>
  sessionLog(page).evaluate((log) => {
    const copy = log.cloneNode(true) as HTMLElement;
    for (const time of copy.querySelectorAll("time")) time.remove();
    return copy.textContent;
  });

test("a team gives an agent a failing package, and it is repaired in its container, through reloads and a killed worker", async ({
  page,
  browser,
}) => {
  // the tests begin when the page is there again to show them, however slow the machine
  const reloaded = Promise.withResolvers<void>();
  const answer = async (request: ScriptRequest) => {
    if (toolResults(request).some(({ name }) => name === "read")) await reloaded.promise;
    return script(request);
  };
  const model = await startScriptedModel(answer, { models: ["test-model"] });
  const person = newPerson();
  const org = await signUp(page, person);
  await addProvider(page, org, { name: "Scripted", slug: "scripted", baseUrl: model.url, models: ["test-model"], key: "a-key" });
  const workspaceId = await uploadWorkspace(page, org, "pend", archive);
  expect(workspaceFile(workspaceId, "index.js")).toContain(wrong);

  const sessionId = await startSession(page, {
    org,
    prompt: "The tests fail. Find out why, repair it and show that they pass.",
    workspace: "pend",
  });
  await expect(sessionLog(page)).toContainText("I look at the source first.");
  await page.reload();
  await expect(sessionLog(page)).toContainText("The tests fail. Find out why");
  reloaded.resolve();
  await expect(page.getByRole("status").filter({ hasText: "npm test" })).toBeVisible();
  killWorker();
  await expect(sessionLog(page)).toContainText(finalText, { timeout: 120_000 });
  await waitUntilReady(page);

  expect(workspaceFile(workspaceId, "index.js")).toContain(right);
  expect(workspaceFile(workspaceId, "index.js")).not.toContain(wrong);
  await openTurns(page);
  for (const shown of ["index.js", "npm test"]) await expect(sessionLog(page)).toContainText(shown);
  const before = await shownLog(page);
  await page.reload();
  await waitUntilReady(page);
  await openTurns(page);
  await expect.poll(() => shownLog(page)).toBe(before);

  await sendMessage(page, "say hello");
  await expect(sessionLog(page)).toContainText("Hello again.");

  const stranger = await (await browser.newContext()).newPage();
  const otherOrg = await signUp(stranger, newPerson("Grace Hopper"));
  for (const address of [`/${org}/s/${sessionId}`, `/${otherOrg}/s/${sessionId}`]) {
    await stranger.goto(address);
    await expect(stranger.getByText("You cannot open this")).toBeVisible();
    await expect(stranger.getByText("The tests fail")).toHaveCount(0);
  }
  const second = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signIn(second, person);
  await second.goto(`/${org}/s/${sessionId}`);
  await expect(sessionLog(second)).toContainText("Hello again.");
  await model.close();
});
