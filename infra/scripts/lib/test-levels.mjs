import path from "node:path";
import { ensureChromium, hasBrowserTests, runBrowserTests } from "./browser-tests.mjs";
import { checkBudgets } from "./bundle-budget.mjs";
import { checkSteps, runCheck } from "./check-steps.mjs";
import { Failure } from "./failure.mjs";
import { listTests, runNodeTests } from "./node-tests.mjs";
import { prismaCommand, prismaEnv } from "./prisma.mjs";
import { step } from "./progress.mjs";

/**
 * The levels in the order in which they run. `needs` are things of test-bench.mjs.
 * @type {Record<string, { needs: string[], run: (context: object) => Promise<void> }>}
 */
export const levels = {
  check: { needs: ["client"], run: runChecks },
  unit: { needs: ["client"], run: (context) => runFiles("unit", context) },
  db: { needs: ["client", "database"], run: (context) => runFiles("db", context) },
  docker: { needs: ["client", "database", "image"], run: runDocker },
  drift: { needs: ["client", "database"], run: runDrift },
  build: { needs: ["client", "database", "build"], run: runBuild },
  e2e: { needs: ["client", "database", "image", "build", "stack"], run: runBrowser },
};

async function runChecks({ tally }) {
  for (const check of checkSteps) await step(`check: ${check.name}`, () => runCheck(check, tally));
}

async function runFiles(level, { bench, tally, filters }) {
  const files = listTests(level, filters);
  await step(`${level}: ${files.length} files`, () => runNodeTests({ level, files, env: bench.env, tally }));
}

async function runDocker(context) {
  const hindrance = context.bench.withoutSandbox;
  if (!hindrance) return runFiles("docker", context);
  for (const file of listTests("docker", context.filters)) context.tally.skip(file, hindrance);
}

/** The migrations, applied from the first to the last, must give exactly the schema that the client is generated from. */
async function runDrift({ bench, tally }) {
  const args = ["migrate", "diff", "--from-migrations", "prisma/migrations", "--to-schema", "prisma/schema", "--exit-code"];
  const check = { name: "migration drift", command: prismaCommand(args), env: prismaEnv(bench.env) };
  await step(check.name, () => runCheck(check, tally));
}

async function runBuild({ tally }) {
  tally.pass();
  await step("build: script budgets", () => checkBudgets(tally));
}

async function runBrowser({ bench, tally, filters }) {
  if (!hasBrowserTests()) throw new Failure("apps/web/playwright.config.ts is missing.");
  await step("e2e: browser tests", async () => {
    const chromium = await ensureChromium();
    if (!chromium) {
      tally.skip("all browser tests", "Chromium is not installed");
      return "skipped";
    }
    const reportFile = path.join(bench.dataDir, "e2e-report.json");
    return runBrowserTests({ env: { ...bench.env, E2E_CHROMIUM: chromium }, reportFile, filters, tally });
  });
}
