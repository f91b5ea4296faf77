import { expect, type Locator } from "@playwright/test";

/** Waits until the page's code has taken over what the server sent: a click before then is lost. */
export async function hydrated(target: Locator): Promise<Locator> {
  const isTaken = () => target.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__reactProps")));
  await expect.poll(isTaken).toBe(true);
  return target;
}
