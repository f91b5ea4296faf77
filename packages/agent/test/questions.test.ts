import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Question, SessionId } from "@gantry/contracts";
import { defineTool, type QuestionRequest } from "@gantry/tools";
import { z } from "zod";
import type { Agent, AgentOptions } from "../src/loop/agent.ts";
import { agentRequest } from "../src/loop/index.ts";
import type { UserQuestions } from "../src/questions/service.ts";
import { applyCommand } from "../src/session/apply-command.ts";
import { dataOf, types, until } from "./support/agent.ts";
import { ends, results, waitingAgent } from "./support/waiting.ts";

const rows = [{ id: "tool-ask-user", name: "tool-ask-user" }];
const asked = [
  { id: "q1", question: "Which one?", header: "Pick", options: [{ label: "A (Recommended)", description: "fast" }, { label: "B" }] },
  { id: "q2", question: "Which ones?", options: [{ label: "C" }, { label: "D" }], multi_select: true },
  { id: "q3", question: "What else?" },
];
const call = (questions: unknown = asked) => ({ name: "ask_user_question", arguments: { questions } });
const answered = (...answers: { id: string; selected: string[]; custom?: string }[]) => ({
  kind: "question" as const,
  outcome: "answered" as const,
  answers,
});
const questionsOf = (agent: Agent) => (agent.ctx.get("userQuestions") as UserQuestions | undefined) ?? assert.fail();

async function asking(t: Parameters<typeof waitingAgent>[0], more: Parameters<typeof waitingAgent>[1] = {}) {
  const set = await waitingAgent(t, { rows, calls: [call()], host: {}, ...more });
  set.say("go");
  await set.agent.whenIdle();
  return set;
}

test("EX-227 EX-228 EX-229 EX-230 answers become one line of JSON: a choice, several, words in the place of a choice, a skipped question", async (t) => {
  const { agent, answer, prompts } = await asking(t);
  assert.ok(agent.isWaiting);
  assert.deepEqual([prompts.length, prompts[0]?.kind], [1, "question"]);
  assert.deepEqual(dataOf(agent, "question/asked")[0]?.questions, [
    { id: "q1", header: "Pick", question: "Which one?", options: asked[0]?.options },
    { id: "q2", header: "", question: "Which ones?", options: asked[1]?.options, multiSelect: true },
    { id: "q3", header: "", question: "What else?", options: [] },
  ]);
  answer(answered({ id: "q2", selected: ["C", "D"], custom: "both" }, { id: "q1", selected: ["B"], custom: "neither" }));
  await agent.whenIdle();
  assert.equal(
    results(agent)[0],
    '{"answers":[{"id":"q1","selected":[],"custom":"neither"},{"id":"q2","selected":["C","D"],"custom":"both"},{"id":"q3","selected":[]}]}',
  );
  assert.deepEqual([ends(agent), dataOf(agent, "tool/call").length], [["completed"], 1]);
  assert.equal(dataOf(agent, "question/answered")[0]?.by, "ada");
});

test("ASK-1 what could not be answered is not asked: blank or doubled labels and ids, and more than an answer may hold", async (t) => {
  const one = (more: object) => [{ id: "q", question: "Which?", ...more }];
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `l${index}`, id: `q${index}`, question: "?" }));
  const wrong: [unknown, RegExp][] = [
    [one({ options: [{ label: "A" }, { label: " " }] }), /each label of question q must not be blank/],
    [one({ options: [{ label: "A" }, { label: "A" }] }), /same label/],
    [one({ options: many(101) }), /at most 100 options of question q, and there are 101/],
    [one({ options: [{ label: "x".repeat(10_001) }] }), /at most 10000 characters in a label/],
    [one({ id: "i".repeat(501) }), /at most 500 characters in an id/],
    [one({ id: "" }), /id must not be blank/],
    [one({ question: "  " }), /question must not be blank/],
    [many(101), /at most 100 questions/],
    [[...one({}), ...one({})], /same id/],
    [[], /at least one question/],
    ["none", /questions/],
  ];
  for (const [questions, text] of wrong) {
    const { agent, prompts } = await asking(t, { calls: [call(questions)] });
    assert.match(results(agent)[0] ?? "", text);
    assert.deepEqual([prompts, dataOf(agent, "question/asked"), ends(agent)], [[], [], ["completed"]]);
  }
  const most = await asking(t, { calls: [call(one({ id: "i".repeat(500), options: many(100) }))] });
  assert.ok(most.agent.isWaiting);
});

test("EX-240 another worker finds the question where it was, and the answer runs the body again", async (t) => {
  const first = await asking(t);
  const second = await waitingAgent(t, { rows, calls: [call()], host: {}, events: first.agent.log.events });
  for (const seq of first.dispatched) second.dispatched.add(seq); // the body had begun: it asks, and asking twice is asking once
  assert.deepEqual(await second.recover(), { interrupted: false, continues: false });
  assert.ok(second.agent.isWaiting);
  second.prompts.push(...first.prompts);
  second.answer(answered({ id: "q1", selected: ["B"] }));
  await second.agent.whenIdle();
  assert.match(results(second.agent)[0] ?? "", /"selected":\["B"\]/);
  assert.deepEqual([ends(second.agent), dataOf(second.agent, "question/asked").length], [["completed"], 1]);
});

test("ASK-1 questions that were put away, or ran out of time, fail the call, and the turn goes on", async (t) => {
  for (const how of ["dismissed", "expired"] as const) {
    const { agent, answer } = await asking(t);
    if (how === "dismissed") answer({ kind: "question", outcome: "dismissed" });
    else answer(null, { state: "expired", decidedBy: null });
    await agent.whenIdle();
    assert.equal(dataOf(agent, "tool/result")[0]?.error?.code, "ASK_CANCELLED");
    assert.deepEqual(ends(agent), ["completed"]);
  }
});

test("a stop while people are asked ends the turn and withdraws the question", async (t) => {
  const { agent, closed, prompts } = await asking(t);
  applyCommand(agent, { kind: "cancel", keepInbox: false, userId: "ada" });
  await agent.log.flush();
  assert.deepEqual(
    dataOf(agent, "question/answered").map(({ outcome }) => outcome),
    ["cancelled"],
  );
  assert.deepEqual([ends(agent), closed], [["aborted by user"], [prompts[0]?.id]]);
});

test("ASK-1 no questions, doubles and blanks fail before anybody is asked", async (t) => {
  const wrong: [unknown, string | undefined, RegExp][] = [
    [[], "EMPTY_QUESTIONS", /at least one/],
    [[asked[0], asked[0]], undefined, /same id/],
    [[{ id: "q", question: " " }], undefined, /must not be blank/],
    [[{ id: "q", question: "x", options: [{ label: "A" }, { label: "A" }] }], undefined, /same label/],
  ];
  for (const [questions, code, text] of wrong) {
    const { agent, prompts } = await asking(t, { calls: [call(questions)] });
    assert.equal(dataOf(agent, "tool/result")[0]?.error?.code, code);
    assert.match(results(agent)[0] ?? "", text);
    assert.deepEqual([prompts.length, dataOf(agent, "question/asked").length], [0, 0]);
  }
});

test("a session that nobody looks at fails the call at once (NO_PROVIDER)", async (t) => {
  const { agent, prompts } = await asking(t, { host: { "user-questions": { headless: true } } });
  assert.equal(dataOf(agent, "tool/result")[0]?.error?.code, "NO_PROVIDER");
  assert.deepEqual([prompts.length, ends(agent)], [0, ["completed"]]);
});

test("EX-237 one provider in the process answers at once; a second one is refused; it goes with its plugin", async (t) => {
  const set = await waitingAgent(t, { rows, calls: [call()], host: {} });
  const { agent, say, prompts, closed } = set;
  const undo = questionsOf(agent).provide(async () => [{ id: "q1", selected: ["B"] }]);
  assert.throws(() => questionsOf(agent).provide(async () => null), { code: "DUPLICATE_PROVIDER" });
  say("go");
  await agent.whenIdle();
  assert.match(results(agent)[0] ?? "", /"selected":\["B"\]/);
  assert.deepEqual(closed, [prompts[0]?.id]);
  await undo();
  questionsOf(agent).provide(async () => null);
});

test("ASK_ABORTED a stop while a provider in the process thinks", async (t) => {
  const { agent, say } = await waitingAgent(t, { rows, calls: [call()], host: {} });
  questionsOf(agent).provide(() => new Promise(() => {}));
  say("go");
  await until(() => types(agent).includes("question/asked"), "the question");
  agent.cancel("user");
  await agent.whenIdle();
  assert.equal(dataOf(agent, "tool/result")[0]?.error?.code, "ASK_ABORTED");
  assert.deepEqual([dataOf(agent, "question/answered").map(({ outcome }) => outcome), ends(agent)], [["cancelled"], ["aborted by user"]]);
});

const question: Question = {
  id: "q",
  header: "Plan",
  question: "Go?",
  detail: "# The plan",
  options: [{ label: "Approve" }, { label: "Keep planning" }],
};
const request = (agent: QuestionRequest["agent"], more: Partial<QuestionRequest> = {}): QuestionRequest => ({
  ...{ agent, callId: "c", toolName: "exit_plan_mode", questions: [question], signal: new AbortController().signal, mayPark: true },
  ...more,
});

test("EX-238 a review whose approving option is not offered, or that shows no plan, is a bad intent", async (t) => {
  const { agent } = await waitingAgent(t, { rows });
  const questions = questionsOf(agent);
  const intent = { kind: "plan-review", approve: "Approve" } as const;
  await assert.rejects(questions.ask(request(agent, { intent: { ...intent, approve: "Yes" } })), { code: "BAD_INTENT" });
  await assert.rejects(questions.ask(request(agent, { intent, questions: [{ ...question, detail: " " }] })), { code: "BAD_INTENT" });
});

test("EX-236 the checks come in their order: stopped, empty, caller, then the intent", async (t) => {
  const { agent, root } = await waitingAgent(t, { rows });
  const questions = questionsOf(agent);
  const stopped = AbortSignal.abort();
  const bad = { kind: "plan-review", approve: "Yes" } as const;
  await assert.rejects(questions.ask(request(undefined, { signal: stopped, questions: [] })), { code: "ASK_ABORTED" });
  await assert.rejects(questions.ask(request(undefined, { questions: [] })), { code: "EMPTY_QUESTIONS" });
  await assert.rejects(questions.ask(request(undefined, { intent: bad })), { code: "CALLER_NOT_LIVE" });
  await root.disposeAgent(agent);
  await assert.rejects(questions.ask(request(agent, { intent: bad })), { code: "CALLER_NOT_LIVE" });
});

test("EX-234 EX-235 an agent that works for another live one may not ask; the same session taken up on its own may", async (t) => {
  const { agent, root } = await waitingAgent(t, { rows });
  const agents = agent.ctx.get("agents") ?? assert.fail();
  const options = (): AgentOptions => ({
    ...{ orgId: agent.orgId, sessionId: randomUUID() as SessionId, userId: agent.userId, epoch: 1, events: [], route: agent.route },
    ...{ mode: "workspace-write", write: async () => {}, publish: () => {}, openWorld: () => Promise.reject(new Error("none")) },
  });
  const alone = { join: async () => {}, leave: async () => {} };
  const bring = async (more: object) => (await agents.resume({ ...agentRequest(options(), alone), ...more })) as Agent;
  const ask = async (of: Agent) => {
    of.append({ type: "turn/start", data: { turn: 1 } });
    return questionsOf(agent).ask(request(of));
  };
  await assert.rejects(bring({ parentScope: agent }).then(ask), { code: "DELEGATED_CALLER" });
  await assert.rejects(bring({}).then(ask), { name: "ParkedCall" });
  assert.ok(root.agentCount > 0);
});

test("AG-227 a review that was put away, or whose tool went while people looked at it, changes nothing", async (t) => {
  const review = (agent: Agent, approved: string[]) =>
    agent.ctx.tools.register(
      defineTool({
        name: "review",
        description: "asks for consent",
        parameters: z.object({}),
        output: z.object({}),
        execute: async (_args, { execution, signal }) => {
          const [answer] = await questionsOf(agent).ask({ ...request(agent, { signal }), callId: execution.callId, toolName: "review" });
          if (answer?.selected.join() === "Approve") approved.push("yes");
          return {};
        },
        render: () => "done",
      }),
    );
  const approve = answered({ id: "q", selected: ["Approve"] });
  for (const how of ["approved", "dismissed", "gone"] as const) {
    const approved: string[] = [];
    const { agent, say, answer } = await waitingAgent(t, { calls: [{ name: "review" }], host: {} });
    const undo = review(agent, approved);
    say("go");
    await agent.whenIdle();
    if (how === "gone") await undo();
    answer(how === "dismissed" ? { kind: "question", outcome: "dismissed" } : approve);
    await agent.whenIdle();
    const code = dataOf(agent, "tool/result")[0]?.error?.code;
    assert.deepEqual(
      [approved, code],
      { approved: [["yes"], undefined], dismissed: [[], "ASK_CANCELLED"], gone: [[], "UNKNOWN_TOOL"] }[how],
    );
    assert.deepEqual(ends(agent), ["completed"]);
  }
});
