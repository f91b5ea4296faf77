// `npm test`: every check and every test, over services of its own. `npm test -- unit db` runs those levels only;
// words that are no level are parts of paths: `npm test -- unit packages/kernel`.
import { ensureDependencies } from "./lib/dependencies.mjs";
import { reportFailure } from "./lib/failure.mjs";
import { useProjectNode } from "./lib/project-node.mjs";

try {
  await ensureDependencies();
  await useProjectNode(import.meta.url);
  const { runTests } = await import("./lib/test-run.mjs"); // needs the newer Node
  process.exit((await runTests(process.argv.slice(2))) ? 0 : 1);
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
