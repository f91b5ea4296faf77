import { defineConfig } from "@playwright/test";

// The test runner reads its own settings: this file is no part of the app, so platform/env does not know them.
const { CI, E2E_BASE_URL, E2E_REPORT_FILE, E2E_CHROMIUM } = process.env;

/** End-to-end tests against a running installation. `E2E_BASE_URL` must be the address that the installation calls itself (NEXTAUTH_URL). */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 1,
  // a second try in CI; what needed it is named in the run's output
  retries: CI ? 1 : 0,
  // far above what a slow machine needs: only what never comes takes as long
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: E2E_REPORT_FILE ? [["list"], ["json", { outputFile: E2E_REPORT_FILE }]] : [["list"]],
  use: {
    baseURL: E2E_BASE_URL ?? "http://localhost:3000",
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: E2E_CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [{ name: "chromium" }],
});
