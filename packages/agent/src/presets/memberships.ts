import { AppError } from "@gantry/contracts";
import { bindScopeParent, type Context, KernelError, type ScopeLink, type ServiceName, scopeOf, serviceIn } from "@gantry/kernel";
import type { Generation } from "./generation.ts";
import type { GenerationPool, Waiting } from "./generation-pool.ts";
import type { PresetRef } from "./preset-ref.ts";

type Member = { generation: Generation; readonly link: ScopeLink };

/** Which agent uses which preset generation of an org root (kernel §11, PRE-3). */
export class Memberships {
  private readonly pool: GenerationPool;
  private readonly members = new Map<object, Member>();

  constructor(pool: GenerationPool) {
    this.pool = pool;
  }

  /**
   * Puts the agent whose scope `agentCtx` is under the generation of the revision, mounting it if need be (G-13). Call it in the
   * agent's setup, and `leave` when the agent's scope is undone. A session pinned to a retired revision joins what still stands of it.
   * @throws AppError PRESET_BROKEN with all reasons, UNAVAILABLE; KernelError JOIN_UNSCOPED, SCOPE_BOUND
   */
  join(agentCtx: Context, preset: PresetRef, waiting: Waiting = {}): Promise<void> {
    return this.enter(agentCtx, () => this.pool.claim(preset), waiting);
  }

  /** As `join`, for a child agent: the exact generation that the parent is in now, also a retired one (G-15). */
  joinLike(agentCtx: Context, parent: object, waiting: Waiting = {}): Promise<void> {
    return this.enter(agentCtx, () => this.pool.claimAgain(this.memberOf(parent).generation), waiting);
  }

  /** Ends an agent's membership, after its scope is undone (G-16). Without one, does nothing. */
  async leave(agent: object): Promise<void> {
    const member = this.members.get(agent);
    if (!member) return;
    this.members.delete(agent);
    await this.pool.release(member.generation);
  }

  /**
   * Moves an agent to another revision: new one up, link, old one released (G-20). A failure leaves the agent where it was.
   * @param assertAllowed throws when the agent may not be moved; asked first, and once more right before the move
   * @throws what `join` and `assertAllowed` throw
   */
  async switch(agent: object, preset: PresetRef, { assertAllowed, signal }: Waiting & { assertAllowed: () => void }): Promise<void> {
    this.memberOf(agent);
    assertAllowed();
    const next = this.pool.claim(preset);
    const previous = await this.pool.hold(next, { signal }, () => {
      const member = this.memberOf(agent);
      assertAllowed();
      member.link.relink(next.key);
      const { generation } = member;
      member.generation = next;
      return generation;
    });
    await this.pool.release(previous);
  }

  /** Lends the scope key of a revision's generation, for what reads without an agent (G-21). */
  async lend<T>(preset: PresetRef, work: (key: object) => T | Promise<T>, waiting: Waiting = {}): Promise<T> {
    const generation = this.pool.claim(preset);
    const result = await this.pool.hold(generation, waiting, () => work(generation.key));
    await this.pool.release(generation);
    return result;
  }

  /** A service that the agent's own generation provides in whatever realm; to read from, nothing else (G-22). */
  serviceFor<K extends ServiceName>(agent: object, name: K): Context[K] | undefined {
    const member = this.members.get(agent);
    return member && serviceIn(member.generation.handle, name);
  }

  private async enter(agentCtx: Context, claim: () => Generation, waiting: Waiting): Promise<void> {
    const key = scopeKeyOf(agentCtx);
    const generation = claim();
    await this.pool.hold(generation, waiting, () => {
      this.members.set(key, { generation, link: bindScopeParent(key, generation.key) });
    });
  }

  private memberOf(agent: object): Member {
    const member = this.members.get(agent);
    if (!member) throw new AppError("CONFLICT", "The session is on no preset here: it was closed meanwhile. Open it again.");
    return member;
  }
}

function scopeKeyOf(ctx: Context): object {
  const key = scopeOf(ctx);
  if (!key) throw new KernelError("JOIN_UNSCOPED", "Only an agent joins a preset. Join with the context of the agent's scope.");
  return key;
}
