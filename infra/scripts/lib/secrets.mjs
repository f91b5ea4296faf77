import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Reads a secret of the data folder, or makes it on first use (mode 0600).
 * Losing `master-key` makes every stored provider key unreadable.
 * @param {string} dataDir
 * @param {string} name file name below `secrets/`
 * @param {() => string} [make]
 */
export function keptSecret(dataDir, name, make = () => randomBytes(24).toString("hex")) {
  const dir = path.join(dataDir, "secrets");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  const file = path.join(dir, name);
  try {
    writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}

/** 32 random bytes in base64, the form GANTRY_MASTER_KEY has. */
export const newMasterKey = () => randomBytes(32).toString("base64");
