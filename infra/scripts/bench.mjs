// `npm run bench -- <name> [arguments]`: one benchmark of infra/bench over services of its own. Without a name: the list.
import { ensureDependencies } from "./lib/dependencies.mjs";
import { reportFailure } from "./lib/failure.mjs";
import { useProjectNode } from "./lib/project-node.mjs";

try {
  await ensureDependencies();
  await useProjectNode(import.meta.url);
  const { runBenchmark } = await import("./lib/bench-run.mjs"); // needs the newer Node
  process.exit(await runBenchmark(process.argv.slice(2)));
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
