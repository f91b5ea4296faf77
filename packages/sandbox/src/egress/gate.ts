import { type Dialed, dial, type Resolver, systemResolver } from "./dial.ts";
import { type EgressPolicy, parseRules, type Rule } from "./policy.ts";
import { answerOf, overloaded } from "./proxy-answers.ts";
import { Tunnel, type TunnelEnd } from "./tunnel.ts";
import type { DialedFrame, DialFrame, TunnelFrame } from "./tunnel-frames.ts";
import { maxTunnels } from "./tunnel-limits.ts";

/** One attempt of a sandbox to connect, told when it is over. `host` is the word of the container, cut to 253 characters. `ms` since it asked. */
export type EgressDecision = {
  host: string;
  port: number;
  verdict: Dialed["verdict"];
  /** Why it was refused or failed, or how an allowed connection ended. */
  reason: Exclude<Dialed, { verdict: "allowed" }>["reason"] | EndReason;
  /** In both directions together. */
  bytes: number;
  ms: number;
};
export type EndReason = TunnelEnd | "byte-limit" | "idle" | "time-limit" | "world-closed";
export type EgressOptions = EgressPolicy & {
  /** Of all connections of this world in both directions together; default 4 GiB. */
  maxBytes?: number;
  /** Must not throw. */
  onDecision?: (decision: EgressDecision) => void;
};
export type EgressLimits = { dialMs: number; idleMs: number; totalMs: number; attempts: number };
type Parts = { send(frame: DialedFrame | TunnelFrame): void; resolve?: Resolver; limits?: Partial<EgressLimits> };
type Attempt = { stop: AbortController; tunnel: Tunnel | null };

const defaultMaxBytes = 4 * 1024 ** 3;
const defaultLimits: EgressLimits = { dialMs: 10_000, idleMs: 60_000, totalMs: 15 * 60_000, attempts: 10_000 };

/**
 * The worker's end of a world's way out, and the only place that decides: judges, dials and copies. Everything it receives comes from a
 * container and is bounded: connections at a time, attempts in all, bytes, time. (SC-N6)
 */
export class EgressGate {
  private readonly rules: readonly Rule[];
  private readonly options: EgressOptions;
  private readonly parts: Required<Pick<Parts, "send" | "resolve">>;
  private readonly limits: EgressLimits;
  private readonly attempts = new Map<number, Attempt>();
  private attemptCount = 0;
  private bytesLeft: number;
  private isClosed = false;

  /** @throws AppError BAD_REQUEST for a policy that cannot be used */
  constructor(options: EgressOptions, { send, resolve = systemResolver, limits }: Parts) {
    this.rules = parseRules(options);
    this.options = options;
    this.parts = { send, resolve };
    this.limits = { ...defaultLimits, ...limits };
    this.bytesLeft = options.maxBytes ?? defaultMaxBytes;
  }

  /** False when the container breaks the protocol, after which its connection must end. */
  receive(frame: DialFrame | TunnelFrame): boolean {
    const attempt = this.attempts.get(frame.id);
    if (frame.t === "dial") {
      if (attempt) return false;
      this.begin(frame);
      return true;
    }
    if (!attempt) return true; // it ended a moment ago
    if (attempt.tunnel) return attempt.tunnel.receive(frame);
    if (frame.t === "reset") attempt.stop.abort();
    return frame.t === "reset"; // nothing else may come before the answer
  }

  /** Ends every connection. */
  close(): void {
    this.isClosed = true;
    for (const { stop } of this.attempts.values()) stop.abort();
  }

  private begin(frame: DialFrame): void {
    this.attemptCount += 1;
    if (this.isClosed || this.attempts.size >= maxTunnels || this.attemptCount > this.limits.attempts) {
      this.parts.send({ t: "dialed", id: frame.id, ...overloaded });
      return;
    }
    const attempt: Attempt = { stop: new AbortController(), tunnel: null };
    this.attempts.set(frame.id, attempt);
    void this.connect(frame, attempt); // never rejects: dial does not
  }

  private async connect({ id, host, port }: DialFrame, attempt: Attempt): Promise<void> {
    const since = performance.now();
    let bytes = 0;
    const decide = (verdict: EgressDecision["verdict"], reason: EgressDecision["reason"]) => {
      this.attempts.delete(id);
      const ms = Math.round(performance.now() - since);
      this.options.onDecision?.({ host: host.slice(0, 253), port, verdict, reason, bytes, ms });
    };
    const { rules, options: policy, limits } = this;
    const dialed = await dial(host, port, {
      rules,
      policy,
      resolve: this.parts.resolve,
      signal: attempt.stop.signal,
      limitMs: limits.dialMs,
    });
    const answer = answerOf(dialed);
    this.parts.send({ t: "dialed", id, ...answer });
    if (dialed.verdict !== "allowed") return decide(dialed.verdict, dialed.reason);

    let reason: EndReason | null = null;
    const cut = (why: EndReason) => {
      reason ??= why;
      tunnel.reset();
    };
    const idle = setTimeout(() => cut("idle"), limits.idleMs);
    const total = setTimeout(() => cut("time-limit"), limits.totalMs);
    const onAbort = () => cut("world-closed");
    const tunnel = new Tunnel(id, dialed.socket, {
      send: this.parts.send,
      onBytes: (count) => {
        bytes += count;
        this.bytesLeft -= count;
        idle.refresh();
        if (this.bytesLeft < 0) cut("byte-limit");
      },
      onEnd: (end) => {
        clearTimeout(idle);
        clearTimeout(total);
        attempt.stop.signal.removeEventListener("abort", onAbort);
        decide("allowed", reason ?? end);
      },
    });
    attempt.tunnel = tunnel;
    attempt.stop.signal.addEventListener("abort", onAbort);
    tunnel.start();
    if (attempt.stop.signal.aborted) onAbort();
  }
}
