import { startedAt } from "./clock.mjs";
import { isStopping } from "./shutdown.mjs";

/** Milliseconds as people read them: "0.4 s", "2 min 05 s". */
export function formatElapsed(ms) {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

/** One line with the time since the script began. */
export function say(text) {
  process.stdout.write(`[${formatElapsed(Date.now() - startedAt).padStart(8)}] ${text}\n`);
}

/**
 * Says that a step began and how it ended, with its own duration. Once the process was asked to end no step begins, and what the
 * end did to a running one is not reported: the call stays open until the process is gone.
 * @param {string} title what happens, in a few words
 * @param {() => Promise<string | undefined | void>} run may return a remark for the closing line
 */
export async function step(title, run) {
  if (isStopping()) await forever();
  const from = performance.now();
  say(`${title} …`);
  try {
    const remark = await run();
    say(`${title}: ${remark || "done"} (${formatElapsed(performance.now() - from)})`);
  } catch (error) {
    if (isStopping()) await forever();
    throw error;
  }
}

const forever = () => new Promise(() => {});
