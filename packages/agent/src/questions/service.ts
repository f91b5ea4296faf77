import type { EventData, Question, QuestionAnswer } from "@gantry/contracts";
import { type Context, callerOf, type Disposer, Service, scopeChainOf } from "@gantry/kernel";
import { newId } from "@gantry/platform";
import { ParkedCall, type QuestionRequest, ToolError, type UserQuestionsSeam } from "@gantry/tools";
import { Agent } from "../loop/agent.ts";
import { argumentsOf, askedBy, bindingOf } from "../session/prompts.ts";

/** Somebody inside the process who answers; null when the questions were put away unanswered. */
export type QuestionProvider = (request: QuestionRequest) => Promise<readonly QuestionAnswer[] | null>;
type Options = { readonly expiresAfterHours: number; readonly headless: boolean };

/**
 * Kernel service `userQuestions` (ASK-1): an agent's questions go to the one provider in the process, else to people as a row that survives
 * every restart, and then the call is parked (architecture §8).
 */
export class UserQuestions extends Service implements UserQuestionsSeam {
  private readonly own: Context;
  private readonly options: Options;
  private provider: QuestionProvider | null = null;

  constructor(ctx: Context, options: Options) {
    super(ctx, "userQuestions");
    this.own = ctx;
    this.options = options;
  }

  /** Fills the one slot until the calling plugin unloads. @throws ToolError DUPLICATE_PROVIDER */
  provide(provider: QuestionProvider): Disposer {
    return callerOf(this.ctx).effect(() => {
      if (this.provider) throw refusal("DUPLICATE_PROVIDER", "questions have a provider already; unload that one first");
      this.provider = provider;
      return () => {
        this.provider = null;
      };
    }, "userQuestions.provide()");
  }

  /**
   * Checked in this order: stopped, empty, caller, owner, intent, provider (tools §14).
   * @throws ToolError with one of the codes of ASK-1; ParkedCall while people are asked
   */
  async ask(request: QuestionRequest): Promise<readonly QuestionAnswer[]> {
    const { agent, questions, signal } = request;
    if (signal.aborted) throw refusal("ASK_ABORTED", "the call was stopped before anything was asked");
    if (questions.length === 0) throw refusal("EMPTY_QUESTIONS", "there must be at least one question");
    if (!(agent instanceof Agent) || this.own.get("agents")?.find(agent.sessionId) !== agent)
      throw refusal("CALLER_NOT_LIVE", "only a live agent of a session can ask");
    if (isDelegated(this.own, agent))
      throw refusal("DELEGATED_CALLER", "an agent that works for another one cannot ask people; put the question into your final result");
    checkIntent(request);
    return this.provider ? this.askInside(agent, request, this.provider) : this.askPeople(agent, request);
  }

  private async askInside(agent: Agent, request: QuestionRequest, provider: QuestionProvider): Promise<readonly QuestionAnswer[]> {
    const before = askedBy(agent.log, request.callId, "question");
    if (before?.answer) return answersOf(before.answer);
    const id = before?.asked.id ?? this.put(agent, request);
    const stopped = Promise.withResolvers<null>();
    const stop = () => stopped.resolve(null);
    request.signal.addEventListener("abort", stop, { once: true });
    try {
      const answers = await Promise.race([provider(request), stopped.promise]);
      const isOpen = agent.log.open.questions.has(id);
      if (isOpen && !request.signal.aborted) agent.append({ type: "question/answered", data: answered(id, answers) });
      const said = askedBy(agent.log, request.callId, "question")?.answer;
      if (said) return answersOf(said);
      throw refusal("ASK_ABORTED", "the call was stopped before the questions were answered");
    } finally {
      request.signal.removeEventListener("abort", stop);
      if (agent.log.open.questions.has(id)) agent.append({ type: "question/answered", data: { id, outcome: "cancelled" } });
    }
  }

  private async askPeople(agent: Agent, request: QuestionRequest): Promise<readonly QuestionAnswer[]> {
    const before = askedBy(agent.log, request.callId, "question");
    if (before?.answer) return answersOf(before.answer);
    if (!request.mayPark || this.options.headless)
      throw refusal("NO_PROVIDER", "nobody can be asked here; decide yourself, or put the question into your answer");
    if (!before) this.put(agent, request);
    throw new ParkedCall();
  }

  /** Event and row in one batch, so that no crash leaves a question that nobody can answer. */
  private put(agent: Agent, { callId, toolName, questions, mayPark }: QuestionRequest): string {
    const id = newId();
    agent.append({ type: "question/asked", data: { id, callId, questions: [...questions] } });
    const binding = bindingOf({ sessionId: agent.sessionId, toolName, arguments: argumentsOf(agent.log, callId) ?? "" });
    const ttlMs = this.options.expiresAfterHours * 3_600_000;
    if (mayPark) agent.log.ask({ id, kind: "question", callId, toolName, shown: { questions: [...questions] } as never, binding, ttlMs });
    return id;
  }
}

type Answered = EventData<"question/answered">;

const answered = (id: string, answers: readonly QuestionAnswer[] | null): Answered =>
  answers ? { id, outcome: "answered", answers: [...answers] } : { id, outcome: "dismissed" };

function answersOf({ outcome, answers }: Answered): readonly QuestionAnswer[] {
  if (outcome === "answered") return answers ?? [];
  throw refusal("ASK_CANCELLED", "the questions were put away without an answer; go on without one, or wait for the user");
}

const refusal = (code: string, message: string) => new ToolError(code, message, { name: "UserQuestionError" });

/** Working for another live agent right now; that the session once came from one does not matter. */
function isDelegated(ctx: Context, agent: Agent): boolean {
  const above = scopeChainOf(agent).filter((key) => key !== agent);
  return above.some((key) => key instanceof Agent && ctx.get("agents")?.find(key.sessionId) === key);
}

/** A review shows its plan, and one of its options means yes. */
function checkIntent({ intent, questions }: QuestionRequest): void {
  if (!intent) return;
  const [review] = questions as readonly [Question, ...Question[]];
  if (!review.options.some(({ label }) => label === intent.approve))
    throw refusal("BAD_INTENT", "the option that approves is not among the options");
  if (!review.detail?.trim()) throw refusal("BAD_INTENT", "a review needs the plan as the question's detail");
}
