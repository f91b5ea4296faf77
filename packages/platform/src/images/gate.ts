import { AppError } from "@gantry/contracts";
import sharp from "sharp";

/** Pictures that a process decodes or encodes at once: each may take some hundred MB outside the heap. */
const slots = 2;
const maxWaiting = 200;
/** Longest work on one picture, s. */
export const timeoutSeconds = 30;

sharp.concurrency(1);
sharp.cache(false);

let running = 0;
const waiting: (() => void)[] = [];

/** Runs at most {@link slots} jobs at a time, in the order in which they came; a failed job frees its place. @throws AppError UNAVAILABLE */
export async function inTurn<T>(job: () => Promise<T>): Promise<T> {
  if (running < slots) running++;
  else {
    if (waiting.length >= maxWaiting) throw new AppError("UNAVAILABLE", "Too many pictures are being worked on. Try again in a minute.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await job();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
