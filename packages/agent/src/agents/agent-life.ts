import { type Context, createScope, isKernelError, KernelError, type Scope, scopeTarget } from "@gantry/kernel";
import type { AgentRequest, LiveAgent } from "./agent.ts";

/** One agent from its creation to its end, as a transaction: every step's undo stands before the next step begins. */
export class AgentLife {
  readonly agent: LiveAgent;
  private readonly loop: Context;
  private readonly onEnd: () => void;
  private readonly abort = new AbortController();
  private readonly ended = Promise.withResolvers<void>();
  private settingUp: Promise<unknown> = Promise.resolve();
  private announced = false;
  private isOver = false;
  private end: () => unknown = () => this.finish();
  private leaveOwner: () => unknown = () => {};
  isLive = false;

  /** @param onEnd called once, when nothing is left of the agent */
  constructor(agent: LiveAgent, loop: Context, onEnd: () => void) {
    this.agent = agent;
    this.loop = loop;
    this.onEnd = onEnd;
  }

  /** Scope, setup, commit, visible, announced, started. @throws what a step throws, after everything is undone */
  async begin(owner: Context, request: AgentRequest): Promise<void> {
    try {
      const scope = this.openScope(owner, request);
      this.settingUp = this.setUp(scope, request);
      await this.settingUp;
      this.assertWanted();
      request.commit?.(this.agent);
      this.isLive = true;
      this.announced = true;
      await this.loop.parallel(scopeTarget(this.agent), "agents/created", this.agent);
      this.assertWanted();
      await this.agent.start?.();
      this.assertWanted();
    } catch (error) {
      await this.dispose();
      throw isKernelError(error, "INACTIVE_EFFECT") ? ownerGone(error) : error;
    }
  }

  /** Stops the work, then undoes what the agent registered, then forgets it (AGT-3). Safe to repeat; callers share one end. */
  async dispose(): Promise<void> {
    this.abort.abort();
    void this.end();
    await this.ended.promise;
  }

  private openScope(owner: Context, request: AgentRequest): Scope<LiveAgent> {
    const { parentScope, sessionId } = request;
    let scope: Scope<LiveAgent> | undefined;
    const life = this;
    this.end = this.loop.effect(function* () {
      // Undone from the bottom up.
      yield () => life.finish();
      yield () => request.ended?.(life.agent);
      scope = createScope(life.loop, life.agent, parentScope ? { parent: parentScope } : {});
      yield scope.dispose;
      yield () => life.retire();
      yield () => life.agent.stop?.();
      yield () => life.interruptSetup();
    }, `agent ${sessionId}`);
    this.leaveOwner = owner.effect(() => () => this.dispose(), `agent ${sessionId}`);
    return scope as unknown as Scope<LiveAgent>;
  }

  private async setUp({ ctx }: Scope<LiveAgent>, request: AgentRequest): Promise<void> {
    await request.setup?.(ctx, { agent: this.agent, signal: this.abort.signal });
  }

  private async interruptSetup(): Promise<void> {
    this.abort.abort();
    await Promise.allSettled([this.settingUp]);
  }

  private retire(): void {
    this.isLive = false;
    if (this.announced) this.loop.emit(scopeTarget(this.agent), "agents/disposed", this.agent);
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onEnd();
    this.ended.resolve();
    void this.leaveOwner();
  }

  private assertWanted(): void {
    if (this.abort.signal.aborted) throw ownerGone();
  }
}

const ownerGone = (cause?: unknown) =>
  new KernelError("AGENT_OWNER_GONE", "The agent's owner or its loop plugin went away while the agent was being made.", { cause });
