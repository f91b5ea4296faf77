// Makes the sandbox image and the daemon folder. Plain JavaScript without dependencies: it runs before anything is built.
//   node infra/sandbox/build.mjs            both
//   node infra/sandbox/build.mjs --daemon   only the daemon folder (no Docker needed)
// Reads GANTRY_SANDBOX_IMAGE, GANTRY_SANDBOXD_DIR, GANTRY_DATA_DIR. Repeating it is cheap: what is current is kept.
import { buildDaemon } from "./daemon.mjs";
import { buildImage } from "./image.mjs";
import { say } from "./shell.mjs";

try {
  const started = Date.now();
  await buildDaemon();
  if (!process.argv.includes("--daemon")) await buildImage();
  say(`sandbox ready in ${((Date.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(`[sandbox] ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
