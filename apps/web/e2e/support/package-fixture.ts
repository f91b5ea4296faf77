import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const fault = { right: "if (this.pending < this.max) {", wrong: "if (this.pending <= this.max) {" };

/**
 * A real package of the npm registry whose own tests ship with it and need nothing else (pend, MIT), with a fault put into its
 * source so that they fail. Returns the archive to upload.
 */
export function brokenPackage(): { archive: string; right: string; wrong: string } {
  const folder = mkdtempSync(join(tmpdir(), "gantry-e2e-"));
  execFileSync("npm", ["pack", "pend@1.2.0", "--silent"], { cwd: folder });
  execFileSync("tar", ["xzf", "pend-1.2.0.tgz"], { cwd: folder });
  const source = join(folder, "package", "index.js");
  const text = readFileSync(source, "utf8");
  if (!text.includes(fault.right)) throw new Error("the package is not what this test expects");
  writeFileSync(source, text.replace(fault.right, fault.wrong));
  execFileSync("tar", ["czf", "pend.tar.gz", "package"], { cwd: folder });
  return { archive: join(folder, "pend.tar.gz"), ...fault };
}
