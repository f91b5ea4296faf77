/** Runs once when the server starts: with a setting missing or wrong, above all a secret, it does not serve at all (SC-W8). */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the bundler replaces this by a constant of the bundle it makes
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { assertEnv } = await import("./server/assert-env.ts");
  assertEnv();
}
