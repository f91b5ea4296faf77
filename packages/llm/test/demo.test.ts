import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Message, ToolCallBlock, ToolSchema } from "@gantry/contracts";
import { assemble } from "../src/assemble.ts";
import type { StreamChunk } from "../src/chunks.ts";
import { viewTurn } from "../src/demo/turn-view.ts";
import { guardStream } from "../src/guard-stream.ts";
import { demoAdapter } from "../src/providers/demo.ts";
import type { LlmRequest } from "../src/request.ts";

const demo = demoAdapter({ slug: "demo", models: ["scripted"], delayMs: 0 });
const tool = (name: string): ToolSchema => ({ name, description: "", parameters: {} });
const allTools = ["todo_write", "glob", "grep", "bash", "read", "write"].map(tool);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "gantry-demo-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const sh = (command: string) => execFileSync("bash", ["-c", command], { cwd: dir, encoding: "utf8" });

/** The tools of a session over a real folder, as far as the demo uses them. */
function runTool(call: ToolCallBlock): { text: string; isError: boolean } {
  const args = JSON.parse(call.arguments);
  switch (call.name) {
    case "glob":
      return { text: sh("find . -type f -not -path '*/.git/*' | sed 's,^./,,'").trim() || "No files found", isError: false };
    case "grep":
      return {
        text: sh(`grep -rl -- '${args.pattern}' . | sed 's,^./,,' || true`).trim()
          ? `Found 1 match\n\nREADME.md\nLine 1: x`
          : "No matches found",
        isError: false,
      };
    case "bash":
      return { text: sh(args.command), isError: false };
    case "write":
      writeFileSync(join(dir, args.file_path), args.content);
      return { text: "written", isError: false };
    case "read":
      return { text: readFileSync(join(dir, args.file_path), "utf8"), isError: false };
    default:
      return { text: "ok", isError: false };
  }
}

/** Plays turns the way a loop does and gives the closing text of the last one. */
async function play(prompts: readonly string[], options: { tools?: ToolSchema[]; runTool?: typeof runTool } = {}) {
  const messages: Message[] = [];
  const calls: ToolCallBlock[] = [];
  let id = 0;
  const push = (message: Omit<Message, "id">) => messages.push({ id: `m${++id}`, ...message });
  let last = "";
  for (const text of prompts) {
    push({ role: "user", content: [{ type: "text", text }], source: { kind: "user" } });
    for (let step = 0; ; step++) {
      assert.ok(step < 10, "the demo must come to an end");
      const { content, finish } = await ask(messages, options.tools ?? allTools);
      push({ role: "assistant", content, source: { kind: "model", provider: "demo", model: "scripted" } });
      const batch = content.filter((block) => block.type === "tool-call");
      assert.equal(finish?.kind, batch.length > 0 ? "tool-calls" : "stop");
      last = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
      if (batch.length === 0) break;
      for (const call of batch) {
        calls.push(call);
        const { text: output, isError } = (options.runTool ?? runTool)(call);
        const result = { type: "tool-result", toolCallId: call.id, content: [{ type: "text", text: output }], isError } as const;
        push({ role: "user", content: [{ ...result, content: [...result.content] }], source: { kind: "tool", callId: call.id } });
      }
    }
  }
  return { last, calls, messages };
}

async function ask(messages: readonly Message[], tools: ToolSchema[], signal = new AbortController().signal) {
  const request: LlmRequest = { provider: "demo", model: "scripted", messages, tools, sessionId: "s", purpose: "main", signal };
  const chunks: StreamChunk[] = [];
  for await (const chunk of guardStream(() => demo.stream(request), request)) chunks.push(chunk);
  return assemble(chunks);
}

describe("scripted demo", () => {
  it("does a real job: what it writes and says is what the workspace holds", async () => {
    writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "shop", scripts: { build: "tsc", lint: "x" } }));
    writeFileSync(join(dir, "a.ts"), "");
    writeFileSync(join(dir, "b.ts"), "");
    sh("git init -q && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m 'first light'");
    const { last, calls, messages } = await play(["please help"]);
    const notes = readFileSync(join(dir, "GANTRY_NOTES.md"), "utf8");
    for (const fact of ["Files seen: 3 (ts 2, json 1)", "shop, scripts: build, lint", "first light"]) {
      assert.ok(notes.includes(fact), `${fact} in\n${notes}`);
      assert.ok(last.includes(fact), `${fact} in\n${last}`);
    }
    assert.match(last, /\(\d lines, counted by `wc`\)/);
    const lists = calls.filter((call) => call.name === "todo_write").map((call) => JSON.parse(call.arguments).todos);
    assert.ok(lists.at(-1)?.every((todo: { status: string }) => todo.status === "completed"));
    const spoken = messages
      .flatMap((message) => message.content)
      .find((block) => block.type === "text" && /scripted demo model/.test(block.text));
    assert.ok(spoken, "it says that it is a script");
    assert.equal(new Set(calls.map((call) => call.id)).size, calls.length);
  });

  it("does not take a cut listing for the whole", async () => {
    const cut = (call: ToolCallBlock) =>
      call.name === "glob" ? { text: "a.ts\nsrc/b.ts\n\n(Showing 2 of 5000 paths. Narrow it.)", isError: false } : runTool(call);
    assert.match((await play(["hello"], { runTool: cut })).last, /Files seen: 2 of 5000 \(ts 2\)/);
  });

  it("adapts to an empty workspace", async () => {
    const { last } = await play(["hello"]);
    assert.match(last, /The workspace is empty/);
    assert.match(readFileSync(join(dir, "GANTRY_NOTES.md"), "utf8"), /The workspace is empty/);
  });

  it("reads its notes before it replaces them", async () => {
    writeFileSync(join(dir, "GANTRY_NOTES.md"), "old");
    const { calls, last } = await play(["hello"]);
    assert.match(last, /nothing but the GANTRY_NOTES\.md of an earlier session/);
    const names = calls.map((call) => call.name);
    assert.ok(names.indexOf("read") !== -1 && names.indexOf("read") < names.indexOf("write"));
  });

  it("says so when it may not write", async () => {
    const denied = (call: ToolCallBlock) =>
      call.name === "write"
        ? { text: "the workspace is read-only\nmore", isError: true }
        : call.name === "bash"
          ? { text: "", isError: false }
          : runTool(call);
    const { last } = await play(["hello"], { runTool: denied });
    assert.match(last, /could not write `GANTRY_NOTES.md`: the workspace is read-only\./);
  });

  it("ends at once without tools", async () => {
    const { last, calls } = await play(["hello"], { tools: [] });
    assert.equal(calls.length, 0);
    assert.match(last, /could not be listed/);
  });

  it("answers a follow-up from a search in the workspace", async () => {
    writeFileSync(join(dir, "README.md"), "about payments");
    const found = await play(["hello", "Where do the payments live?"]);
    assert.deepEqual(JSON.parse(found.calls.at(-1)?.arguments ?? ""), { pattern: "payments" });
    assert.match(found.last, /Found 1 match for “payments”, in: README.md/);
    const missing = await play(["hello", "quixotic"]);
    assert.match(missing.last, /does not occur/);
  });

  it("takes what a person typed for the question, and no file that came along", () => {
    const file = { type: "text", text: "Attached file: characters", file: { attachmentId: "a", name: "x.txt" } } as const;
    const message: Message = {
      id: "m",
      role: "user",
      content: [{ type: "text", text: "Where?" }, file],
      source: { kind: "user", userId: "u" },
    };
    assert.equal(viewTurn([message]).asked, "Where?");
  });

  it("shows on request how an agent asks: one call that needs a person, then what came of it", async () => {
    const answered = ({ name }: ToolCallBlock) =>
      name === "bash"
        ? { text: "Linux 6.1", isError: false }
        : { text: '{"answers":[{"id":"storage","selected":["SQLite"]}]}', isError: false };
    const tools = [...allTools, tool("ask_user_question")];
    const approval = await play(["Please ask for approval once"], { tools, runTool: answered });
    assert.deepEqual(
      approval.calls.map(({ name, arguments: args }) => [name, JSON.parse(args).sandbox_permissions]),
      [["bash", "danger-full-access"]],
    );
    assert.match(approval.last, /Linux 6\.1/);
    const question = await play(["hello", "Ask me a question"], { tools, runTool: answered });
    assert.equal(question.calls.at(-1)?.name, "ask_user_question");
    assert.match(question.last, /SQLite/);
    assert.match((await play(["ask me a question"])).last, /no tool to ask with/);
  });

  it("takes no other message for such a request", async () => {
    for (const said of ["Add an approval step to the checkout", "There is a question in README.md", "Why is permission denied?"])
      assert.notEqual((await play([said])).calls[0]?.name, "bash", said);
  });

  it("stops in the middle when aborted", async () => {
    const slow = demoAdapter({ slug: "demo", models: ["scripted"], delayMs: 1_000 });
    const abort = new AbortController();
    const request: LlmRequest = {
      provider: "demo",
      model: "scripted",
      messages: [],
      sessionId: "s",
      purpose: "main",
      signal: abort.signal,
    };
    const stream = guardStream(() => slow.stream(request), request);
    const first = stream.next();
    abort.abort();
    const chunk = (await first).value;
    assert.equal(chunk?.type === "finish" && chunk.reason.kind, "aborted");
  });
});
