import { inRoot, projectNode, root } from "./paths.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

/**
 * Makes the sandbox image and the daemon folder when their inputs changed; the builder itself knows when that is.
 * @param {{ env: object, docker: { available: boolean } }} options
 * @returns {Promise<{ available: boolean, remark: string }>}
 */
export async function ensureSandboxImage({ env, docker }) {
  if (!docker.available) return { available: false, remark: "no sandbox image without Docker" };
  let outcome = { available: true, remark: "" };
  await step("Sandbox image", async () => {
    const result = await run(projectNode, [inRoot("infra", "sandbox", "build.mjs")], {
      cwd: root,
      env: { ...process.env, ...env },
      limitMs: 900_000,
    });
    const lines = result.output.trim().split("\n");
    if (result.code !== 0) outcome = { available: false, remark: `The sandbox image could not be built: ${lines.slice(-4).join("\n")}` };
    return outcome.available ? lines.at(-1).replace(/^\[sandbox\] /, "") : outcome.remark;
  });
  return outcome;
}
