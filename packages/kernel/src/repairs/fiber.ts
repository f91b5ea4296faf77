import { Fiber, symbols } from "@deepseek-ai/cordis";
import { KernelError } from "../errors.ts";
import { adopted, fiberState, type RawFiber, rootKey } from "../raw.ts";
import { report } from "../report.ts";

/**
 * Repairs of cordis' fiber, installed once for the process: refusals carry our codes, undo steps are contained one by one (K-15),
 * a sealed root takes no effect (D7), and config is never changed in place (D3, K-8).
 */
export function repairFibers(): void {
  const proto = Fiber.prototype as unknown as {
    effect: RawFiber["effect"];
    assertActive(): void;
    update(): never;
    restart(): never;
  };
  const effect = proto.effect;
  proto.effect = function (this: RawFiber, body, label = "anonymous") {
    assertAccepting(this);
    let isAsync = false;
    const disposer = effect.call(
      this,
      () => {
        const steps = body.call(this);
        isAsync = typeof steps === "object" && steps !== null && ("then" in steps || Symbol.asyncIterator in steps);
        return containUndos(this, label, steps);
      },
      label,
    );
    // An async generator awaits what it yields; a thenable disposer would arrive as another function and lose its place in the order.
    if (!isAsync) delete (disposer as { then?: unknown }).then;
    return disposer;
  };
  proto.assertActive = function (this: RawFiber) {
    assertAccepting(this);
  };
  proto.update = proto.restart = function (this: RawFiber) {
    throw new KernelError("BAD_PLUGIN", `<${this.name}> cannot be changed in place. Dispose it and mount it again.`);
  };
}

/**
 * Only what starts or is active takes effects: what an earlier activation left running must not register on a plugin that waits or failed.
 * @throws ROOT_SEALED (13.5), INACTIVE_EFFECT (K-16)
 */
export function assertAccepting(fiber: RawFiber): void {
  const root = fiber.ctx[rootKey];
  if (root?.phase === "sealed" || (root?.phase === "closing" && fiber.uid === 0)) {
    throw new KernelError("ROOT_SEALED", `The root "${root.meta.name}" is closed. Build a new one.`);
  }
  const isUp = fiber.state === fiberState.loading || fiber.state === fiberState.active;
  if (fiber.uid !== null && isUp) return;
  const isDown = fiber.uid !== null && fiber.state !== fiberState.unloading;
  const why = isDown ? "waits for a service or has failed" : "is unloading or disposed";
  throw new KernelError("INACTIVE_EFFECT", `<${fiber.name}> ${why} and takes no new registration.`);
}

function containUndos(fiber: RawFiber, label: string, effect: unknown): unknown {
  const contain = (undo: unknown) => containUndo(fiber, label, undo);
  if (typeof effect === "function") return contain(effect);
  if (typeof effect !== "object" || effect === null) return effect;
  if ("then" in effect) return Promise.resolve(effect).then(contain);
  if (Symbol.iterator in effect) return mapSteps(effect as Iterable<unknown>, contain);
  if (Symbol.asyncIterator in effect) return mapAsyncSteps(effect as AsyncIterable<unknown>, contain);
  return effect;
}

function containUndo(fiber: RawFiber, label: string, undo: unknown): unknown {
  // A nested effect is recognised by identity, and has contained its own steps.
  if (typeof undo !== "function" || symbols.effect in undo) return undo;
  const owned = adopted(undo);
  if (owned !== undefined) return owned;
  const fail = (error: unknown) => report(fiber, { error, phase: "undo", label });
  return () => {
    try {
      const result: unknown = undo();
      return isThenable(result) ? Promise.resolve(result).catch(fail) : undefined;
    } catch (error) {
      fail(error);
    }
  };
}

const isThenable = (value: unknown): value is PromiseLike<unknown> => typeof value === "object" && value !== null && "then" in value;

function* mapSteps(steps: Iterable<unknown>, contain: (undo: unknown) => unknown): Generator<unknown> {
  for (const undo of steps) yield contain(undo);
}

async function* mapAsyncSteps(steps: AsyncIterable<unknown>, contain: (undo: unknown) => unknown): AsyncGenerator<unknown> {
  for await (const undo of steps) yield contain(undo);
}
