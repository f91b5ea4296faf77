import path from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the checkout. */
export const root = path.resolve(fileURLToPath(new URL("../../..", import.meta.url)));

/** Absolute path of a file of the checkout. */
export const inRoot = (...parts) => path.join(root, ...parts);

/** The Node 24 that npm installed with the dependencies. */
export const projectNode = inRoot("node_modules", ".bin", "node");

/** The one folder that holds everything a running installation writes. */
export const defaultDataDir = () => path.resolve(process.env.GANTRY_DATA_DIR || inRoot(".gantry"));
