import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { imageFromDebian } from "./debian.mjs";
import { repoRoot, run, say, succeeds } from "./shell.mjs";

const here = join(repoRoot, "infra/sandbox");
const label = "gantry.image.inputs";

/** Builds the tagged image unless the one that is there was made from the same inputs. */
export async function buildImage() {
  const tag = process.env.GANTRY_SANDBOX_IMAGE ?? "gantry-sandbox:local";
  if (!(await succeeds("docker", ["version"], { timeoutMs: 20_000 }))) {
    throw new Error("Docker does not answer. Start it (as root: dockerd), then run this again.");
  }
  const inputs = await inputHash();
  const have = await run("docker", ["image", "inspect", "--format", `{{index .Config.Labels "${label}"}}`, tag]).catch(() => "");
  if (have === inputs) return say(`image ${tag} is current`);
  const base = process.env.BASE_IMAGE ?? "node:24-bookworm-slim";
  if (await succeeds("docker", ["pull", "--quiet", base], { timeoutMs: 180_000 })) {
    say(`building ${tag} from ${base}`);
    const args = ["build", "--build-arg", `BASE_IMAGE=${base}`, "--label", `${label}=${inputs}`, "-t", tag, here];
    await run("docker", args, { onLine: (line) => /^(Step|#\d+ \[)/.test(line) && say(line) });
  } else {
    say(`${base} cannot be pulled here: building ${tag} from Debian packages`);
    await imageFromDebian({ tag, inputs, label });
  }
  say(`image ${tag} built`);
}

async function inputHash() {
  const hash = createHash("sha256").update(process.arch);
  for (const file of ["Dockerfile", "finish.sh", "debian.mjs"]) hash.update(await readFile(join(here, file)));
  return hash.digest("hex").slice(0, 16);
}
