/** Waits for a state, looking each 50 ms. */
export async function until(condition: () => Promise<boolean> | boolean, what: string, limitMs = 120_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
