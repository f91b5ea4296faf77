const timedOut = Symbol("timed out");

/** Waits for `work` at most `ms` milliseconds. Answers whether it ended in time; rejects with its error. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, ms, timedOut);
  });
  try {
    return (await Promise.race([work, deadline])) !== timedOut;
  } finally {
    clearTimeout(timer);
  }
}
