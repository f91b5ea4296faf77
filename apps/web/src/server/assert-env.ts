import { loadEnv } from "@gantry/platform";

/** Ends the process with the names of the variables that are missing or wrong. */
export function assertEnv(): void {
  try {
    loadEnv();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
