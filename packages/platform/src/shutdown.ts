import { createLogger } from "./logger.ts";

type Hook = { name: string; stop: () => unknown };

const hooks: Hook[] = [];
/** A deploy gives a process about this long after SIGTERM. */
const limitMs = 30_000;
let running: Promise<boolean> | undefined;

/**
 * Registers how something stops. On SIGTERM or SIGINT all hooks run, the last registered first, one after the other, and the process exits:
 * with 0 when each came back within 30 s altogether, else with 1. A second signal exits at once.
 * @returns a function that takes the hook back
 */
export function onShutdown(name: string, stop: () => unknown): () => void {
  if (hooks.length === 0) listen();
  const hook = { name, stop };
  hooks.push(hook);
  return () => {
    const index = hooks.indexOf(hook);
    if (index >= 0) hooks.splice(index, 1);
  };
}

/** Runs the hooks once, whoever asks; true when all of them stopped in time. A hook that fails is logged and does not hold up the others. */
export function runShutdown(): Promise<boolean> {
  running ??= stopAll();
  return running;
}

async function stopAll(): Promise<boolean> {
  const log = createLogger("shutdown");
  const deadline = AbortSignal.timeout(limitMs);
  const late = new Promise<never>((_, reject) => {
    deadline.addEventListener("abort", () => reject(new Error(`not stopped after ${limitMs} ms`)), { once: true });
  });
  late.catch(() => {}); // each race below reports it; without a race there is nobody to tell
  let clean = true;
  for (let hook = hooks.pop(); hook; hook = hooks.pop()) {
    try {
      await Promise.race([hook.stop(), late]);
    } catch (err) {
      clean = false;
      log.error({ err, hook: hook.name }, "a part did not stop cleanly");
    }
  }
  return clean;
}

let listening = false;
function listen(): void {
  if (listening) return;
  listening = true;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (running !== undefined) process.exit(1);
      void exitAfter(signal);
    });
  }
}

async function exitAfter(signal: string): Promise<void> {
  createLogger("shutdown").info({ signal }, "stopping");
  const clean = await runShutdown();
  process.exit(clean ? 0 : 1);
}
