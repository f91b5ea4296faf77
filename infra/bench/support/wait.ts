import { setTimeout as pause } from "node:timers/promises";

/** Looks every 20 ms until the condition holds. @throws Error naming what did not happen */
export async function until(condition: () => Promise<boolean> | boolean, what: string, limitMs = 60_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await pause(20);
  }
}

/** Like setTimeout, but never early, and at once when the time has passed. */
export async function sleepUntil(time: number): Promise<void> {
  while (performance.now() < time) await pause(Math.max(0, time - performance.now()));
}
