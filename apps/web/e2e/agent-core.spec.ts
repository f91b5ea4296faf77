import { readFileSync } from "node:fs";
import type { ScriptRequest } from "@gantry/testing";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { killWorker, workspaceFile } from "./support/installation.ts";
import { addMember } from "./support/members.ts";
import { newPerson, signUp } from "./support/people.ts";
import { composer, openTurns, sendMessage, sessionLog, startSession, waitUntilReady } from "./support/session.ts";
import { callTool, lastSaid, startTeam } from "./support/team.ts";

/** A command that leaves a mark in the workspace, in the wider sandbox that a person has to allow. */
const widely = (command: string) =>
  callTool("bash", {
    command,
    description: "Leave a mark",
    sandbox_permissions: "danger-full-access",
    justification: "the mark needs the wider sandbox",
  });
const questions = [
  {
    id: "db",
    header: "Database",
    question: "Which database?",
    options: [{ label: "Postgres", description: "What the team runs already" }, { label: "SQLite" }],
  },
  { id: "checks", question: "Which checks?", options: [{ label: "Types" }, { label: "Tests" }, { label: "Format" }], multi_select: true },
];

const prompts = /^(allow this|deny this|ask me|ask again|leave me waiting)$/;

function script(request: ScriptRequest) {
  const { said, results } = lastSaid(request, prompts);
  const [result] = results;
  if (said === "allow this")
    return result === undefined ? widely("echo allowed > mark.txt && echo marked") : { text: `It said: ${result}` };
  if (said === "deny this") return result === undefined ? widely("echo denied > mark.txt") : { text: `Refused: ${result}` };
  if (said === "leave me waiting")
    return result === undefined ? widely("echo late > late.txt && echo late-mark") : { text: `After all: ${result}` };
  if (said === "ask me" || said === "ask again")
    return result === undefined ? callTool("ask_user_question", { questions }) : { text: `You said: ${result}` };
  return { text: "Understood." };
}

const approval = (page: Page): Locator => page.getByRole("region", { name: "Allow this call?" });
const asking = (page: Page): Locator => page.getByRole("region", { name: "The agent asks you" });

/** The page in both themes, and that its main buttons are big enough for a thumb. */
async function look(page: Page, name: string, buttons: Locator[]): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page, `${name}, ${colorScheme}`);
  }
  for (const button of buttons) {
    const box = await button.boundingBox();
    expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
    await expect(button).toBeInViewport({ ratio: 1 });
  }
}

test("a call is allowed, another denied and questions answered, each from the browser of another member", async ({ page, browser }) => {
  const { org, model } = await startTeam(page, script);
  const colleague = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signUp(colleague, newPerson("Grace Hopper"));
  await addMember(page, org, colleague);

  const sessionId = await startSession(page, { org, prompt: "allow this", workspace: "files" });
  await expect(approval(page)).toContainText("echo allowed > mark.txt && echo marked");
  for (const shown of ["bash", "/workspace", "the mark needs the wider sandbox", "left"]) await expect(approval(page)).toContainText(shown);
  await expect(page.getByRole("status").filter({ hasText: "Waiting for you" })).toBeVisible();
  await expect(page.getByRole("region", { name: /^Needs you/ }).getByRole("link", { name: /allow this/ })).toBeVisible();
  await expect(composer(page)).toBeHidden();

  await colleague.goto(`/${org}/s/${sessionId}`);
  const allow = approval(colleague).getByRole("button", { name: "Allow once" });
  await look(colleague, "an approval on a phone", [allow, approval(colleague).getByRole("button", { name: "Deny" })]);
  await allow.click();
  await expect(approval(page)).toBeHidden();
  await expect(page.getByText("Grace Hopper allowed the call once.")).toBeVisible();
  await expect(sessionLog(page)).toContainText("It said: marked");
  await waitUntilReady(page);
  await openTurns(page);
  await expect(sessionLog(page).getByRole("button", { name: /allowed by Grace Hopper/ })).toBeVisible();

  await sendMessage(page, "deny this");
  await approval(page).focus();
  await page.keyboard.press("d");
  await expect(sessionLog(page)).toContainText(/Refused: .*rejected/);
  await waitUntilReady(page);

  await sendMessage(page, "ask me");
  await expect(asking(colleague)).toContainText("Which database?");
  await look(colleague, "questions on a phone", [asking(colleague).getByRole("button", { name: "Dismiss" })]);
  await asking(colleague)
    .getByRole("radio", { name: /Postgres/ })
    .check();
  await asking(colleague).getByRole("checkbox", { name: "Types" }).check();
  await asking(colleague).getByRole("checkbox", { name: "Format" }).check();
  await asking(colleague).getByRole("textbox", { name: "Your own words: Which checks?" }).fill("and spelling");
  await asking(colleague).getByRole("button", { name: "Answer", exact: true }).click();
  await expect(sessionLog(page)).toContainText('{"id":"db","selected":["Postgres"]}');
  await expect(sessionLog(page)).toContainText('{"id":"checks","selected":["Types","Format"],"custom":"and spelling"}');
  await waitUntilReady(page);

  await sendMessage(page, "ask again");
  await asking(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(sessionLog(page)).toContainText("put away without an answer");
  await waitUntilReady(page);
  await model.close();
});

test("two browsers answer at once: one counts, the other is told, and nothing runs twice", async ({ page, browser }) => {
  const { org, model } = await startTeam(page, script);
  const colleague = await (await browser.newContext()).newPage();
  await signUp(colleague, newPerson("Grace Hopper"));
  await addMember(page, org, colleague);
  const sessionId = await startSession(page, { org, prompt: "deny this", workspace: "files" });
  await colleague.goto(`/${org}/s/${sessionId}`);
  await expect(approval(page)).toContainText("echo denied");
  await expect(approval(colleague)).toContainText("echo denied");
  // the colleague's page keeps showing the question, as on a slow connection
  await colleague.route(/session\.stream/, (route) => route.abort());
  const answers: Promise<unknown>[] = [];
  await colleague.route(/prompt\.answer/, async (route) => {
    await approval(page).getByRole("button", { name: "Deny" }).click();
    await expect(approval(page)).toBeHidden();
    await route.continue();
  });
  answers.push(approval(colleague).getByRole("button", { name: "Allow once" }).click());
  await Promise.all(answers);
  await expect(
    colleague
      .getByText(/answered already/)
      .or(colleague.getByText(/denied the call/))
      .first(),
  ).toBeVisible();
  await expect(sessionLog(page)).toContainText(/Refused: .*rejected/);
  await model.close();
});

test("a worker dies while a person is asked; the question is still there, and the answer runs the call once", async ({ page }) => {
  const { org, model } = await startTeam(page, script);
  const workspaceId = await workspaceIdOf(page, org);
  await startSession(page, { org, prompt: "leave me waiting", workspace: "files" });
  await expect(approval(page)).toContainText("late.txt");
  killWorker();
  await page.reload();
  await expect(approval(page)).toContainText("late.txt");
  await approval(page).getByRole("button", { name: "Allow once" }).click();
  await expect(sessionLog(page)).toContainText("After all: late-mark", { timeout: 120_000 });
  await waitUntilReady(page);
  expect(workspaceFile(workspaceId, "late.txt")).toBe("late\n");
  await model.close();
});

async function workspaceIdOf(page: Page, org: string): Promise<string> {
  await page.goto(`/${org}/w`);
  await page.getByRole("link", { name: /files/ }).first().click();
  await page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

test("a running turn is steered; what waits is edited, moved by keyboard, removed and steered", async ({ page }) => {
  const { org, model } = await startTeam(page, (request) => {
    const { said } = lastSaid(request, /^(write for long|first|second|third.*|fourth)$/);
    return said === "write for long" ? { text: "word ".repeat(1_000), chunkSize: 5, delayMs: 40 } : { text: `Heard ${said}.` };
  });
  await startSession(page, { org, prompt: "write for long", workspace: "files" });
  await expect(sessionLog(page)).toContainText("word word word");
  for (const text of ["first", "second", "third", "fourth"]) await sendMessage(page, text, { queue: true });
  const queue = page.getByRole("list", { name: "Waiting messages" });
  const item = (text: string) => queue.getByRole("listitem").filter({ hasText: text });
  await expect(queue.getByRole("button", { name: "Edit" })).toHaveCount(4);

  await item("third").getByRole("button", { name: "Edit" }).click();
  await queue.getByRole("textbox", { name: "Text of the waiting message" }).fill("third, in other words");
  await page.keyboard.press("Enter");
  await expect(item("third, in other words")).toBeVisible();
  await item("second").getByRole("button", { name: "Remove" }).click();
  await expect(item("second")).toHaveCount(0);
  await item("fourth").getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(queue.getByRole("listitem").nth(1)).toContainText("fourth");
  await page.reload();
  await expect(queue.getByRole("listitem")).toHaveText([/first/, /fourth/, /third, in other words/]);
  await item("third, in other words").getByRole("button", { name: "Steer now" }).click();
  await expect(item("third, in other words")).toContainText("joins at the next step");

  await expect(sessionLog(page)).toContainText("Heard third, in other words.", { timeout: 90_000 });
  await expect(sessionLog(page)).toContainText("Heard first.");
  await expect(sessionLog(page)).toContainText("Heard fourth.");
  await expect(sessionLog(page)).not.toContainText("second");
  await model.close();
});

/** What the log says in words; not how long ago, how long so far, or whether it is still going on. */
const saidOf = (page: Page): Promise<string[]> =>
  sessionLog(page).evaluate((log) =>
    [...log.querySelectorAll<HTMLElement>(".prose-agent, article p.whitespace-pre-wrap")].map((part) => part.textContent.trim()),
  );

test("a page that is loaded again at random moments says what it said before, and what a page says that never was", async ({
  page,
  browser,
}) => {
  const steps = 9;
  const looked = Promise.withResolvers<void>(); // the turn does not end, and fold its steps, while a slow page still compares
  const { org, model } = await startTeam(page, async ({ messages }) => {
    const done = messages.filter((message) => message.role === "tool").length;
    const text = `Step ${done}: ${`some words of step ${done} `.repeat(20)}`;
    if (done < steps) return { ...callTool("bash", { command: `echo ${done}`, description: "Say it" }, text), chunkSize: 6, delayMs: 60 };
    await looked.promise;
    return { text: `All done. ${text}`, chunkSize: 6, delayMs: 30 };
  });
  // tall enough for all of it: rows out of view are not in the page
  const viewport = { width: 1_000, height: 6_000 };
  await page.setViewportSize(viewport);
  const sessionId = await startSession(page, { org, prompt: "talk for a while", workspace: "files" });
  const watcher = await (await browser.newContext({ viewport, storageState: await page.context().storageState() })).newPage();
  await watcher.goto(`/${org}/s/${sessionId}`);
  await expect(sessionLog(page)).toContainText("Step 0");
  let compared = 0;
  while (compared < 6) {
    await page.waitForTimeout(300 + Math.random() * 2_000); // the moment is what is random here
    const before = await saidOf(page);
    await page.reload();
    // what was there is there again, in the same order; only the last text may have grown
    await expect
      .poll(
        async () => {
          const after = await saidOf(page);
          return before.every((text, at) => (at === before.length - 1 ? after[at]?.startsWith(text) : after[at] === text));
        },
        { message: `what was said before reload ${compared + 1}: ${JSON.stringify(before).slice(0, 2_000)}` },
      )
      .toBe(true);
    compared += 1;
  }
  looked.resolve();
  await expect(sessionLog(page)).toContainText("All done.", { timeout: 120_000 });
  await waitUntilReady(page);
  await waitUntilReady(watcher);
  for (const one of [page, watcher]) await openTurns(one);
  await expect.poll(() => saidOf(page)).toEqual(await saidOf(watcher));
  const settled = await saidOf(page);
  await page.reload();
  await waitUntilReady(page);
  await openTurns(page);
  await expect.poll(() => saidOf(page)).toEqual(settled);
  await model.close();
});

test("/compact sums up what came before; people still read all of it, and an unknown command is explained", async ({ page }) => {
  const { org, model } = await startTeam(page, (request) => {
    const { messages } = request;
    const { said: last } = lastSaid(request, /^(write much|and now.|go on)$|write a summary of the conversation/);
    if (last.includes("write a summary of the conversation")) return { text: "The user wanted a long text and has it." };
    if (last === "write much") return { text: `A long text. ${"It goes on and on. ".repeat(900)}`, chunkSize: 400 };
    return { text: `${messages.some((message) => message.text.includes("<compacted-summary>")) ? "From the summary." : "From memory."}` };
  });
  await startSession(page, { org, prompt: "write much", workspace: "files" });
  await waitUntilReady(page);
  await sendMessage(page, "and now?");
  await expect(sessionLog(page)).toContainText("From memory.");
  await waitUntilReady(page);

  await composer(page).pressSequentially("/co");
  await expect(page.getByRole("listbox", { name: "Commands" }).getByRole("option", { name: /compact/ })).toBeVisible();
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("/compact");
  await composer(page).press("Enter");
  const marker = sessionLog(page).getByRole("button", { name: /Earlier messages were summarised/ });
  await expect(marker).toBeVisible();
  await expect(sessionLog(page)).toContainText(/\/compact Summed up \d+ items/);
  await marker.click();
  await expect(sessionLog(page)).toContainText("The user wanted a long text and has it.");
  await sendMessage(page, "go on");
  await expect(sessionLog(page)).toContainText("From the summary.");
  await page.reload();
  await sessionLog(page).press("Home");
  await expect(sessionLog(page)).toContainText("A long text.");

  await composer(page).fill("/fly away");
  await composer(page).press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "There is no command of this name" })).toBeVisible();
  await expect(composer(page)).toHaveValue("/fly away");
  await model.close();
});

test("a session is forked from an answer and before a message, rated, renamed in place, and downloaded in three forms", async ({
  page,
}) => {
  const { org, model } = await startTeam(page, (request) => ({
    text: `Answer to ${lastSaid(request, / question$/).said}`,
    usage: { input: 1_200, output: 40 },
  }));
  const sessionId = await startSession(page, { org, prompt: "first question", workspace: "files" });
  await expect(sessionLog(page)).toContainText("Answer to first question");
  await waitUntilReady(page);
  await sendMessage(page, "second question");
  await expect(sessionLog(page)).toContainText("Answer to second question");
  await waitUntilReady(page);
  await expect(sessionLog(page)).toContainText("1.2k tokens in, 40 out");

  await sessionLog(page).getByRole("button", { name: "Good answer" }).last().click();
  await page.getByRole("textbox", { name: "Note" }).fill("to the point");
  await page.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByText("“to the point”")).toBeVisible();
  await page.reload();
  await expect(sessionLog(page).getByRole("button", { name: "Good answer" }).last()).toHaveAttribute("aria-pressed", "true");

  await page.getByRole("button", { name: "first question" }).first().click();
  await page.getByRole("textbox", { name: "Title" }).fill("Two questions");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Two questions", level: 1 })).toBeVisible();

  for (const [item, ending, text] of [
    ["Markdown", ".md", "Answer to second question"],
    ["Web page (HTML)", ".html", "Answer to second question"],
    ["Raw log (JSONL)", ".jsonl", '"type":"turn/start"'],
  ] as const) {
    await page.getByRole("button", { name: "Session menu" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: item }).click()]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\${ending}$`));
    expect(readFileSync(await download.path(), "utf8")).toContain(text);
  }

  await sessionLog(page).getByRole("button", { name: "Fork before this message" }).click();
  await page.waitForURL((url) => url.pathname.includes("/s/") && !url.pathname.endsWith(sessionId));
  await expect(composer(page)).toHaveValue("second question");
  await expect(sessionLog(page)).toContainText("Answer to first question");
  await expect(sessionLog(page)).not.toContainText("Answer to second question");
  // its title is its source's: the lists tell the two apart, and its header leads back
  const listed = page.getByRole("navigation").getByRole("link", { name: /Two questions|first question/ });
  await expect(listed.filter({ hasText: "Fork:" })).toHaveAttribute("href", new URL(page.url()).pathname);
  await expect(listed.filter({ hasNotText: "Fork:" })).toHaveAttribute("href", `/${org}/s/${sessionId}`);
  await expect(page.getByRole("link", { name: "Forked from another session" })).toHaveAttribute("href", `/${org}/s/${sessionId}`);
  await composer(page).fill("another question");
  await composer(page).press("Enter");
  await expect(sessionLog(page)).toContainText("Answer to another question");
  await waitUntilReady(page);
  const before = page.url();
  await sessionLog(page).getByRole("button", { name: "Fork from here" }).last().click();
  await page.waitForURL((url) => url.pathname.includes("/s/") && url.href !== before);
  await expect(sessionLog(page)).toContainText("Answer to another question");
  await model.close();
});

test("permissions are chosen in the composer; full access is asked about before", async ({ page }) => {
  const { org, model } = await startTeam(page, script);
  await startSession(page, { org, prompt: "hello", workspace: "files" });
  await waitUntilReady(page);
  const permissions = page.getByRole("combobox", { name: "Permissions" });
  await expect(permissions).toHaveValue("workspace-write");
  await permissions.selectOption("read-only");
  await expect(sessionLog(page)).toContainText("Permissions changed: Read only");
  await permissions.selectOption("danger-full-access");
  const dialog = page.getByRole("dialog", { name: "Give the agent full access?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(permissions).toHaveValue("read-only");
  await permissions.selectOption("danger-full-access");
  await dialog.getByRole("button", { name: "Give full access" }).click();
  await expect(sessionLog(page)).toContainText("Permissions changed: Full access");
  await page.reload();
  await expect(permissions).toHaveValue("danger-full-access");
  await page.getByRole("button", { name: /^Context and cost/ }).click();
  await expect(page.getByRole("heading", { name: "Cost of this session" })).toBeVisible();
  await look(page, "a session with its usage open", []);
  await model.close();
});
