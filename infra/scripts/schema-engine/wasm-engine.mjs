import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import { migrationAdapter } from "./adapter.mjs";

/** Where the engine leaves the message of a panic; after one it answers nothing more, so the process ends as the native engine's does. */
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message(message) {
    process.stderr.write(`${JSON.stringify({ level: "ERROR", fields: { message } })}\n`);
    process.exit(101);
  },
};

/** Stands in where a command needs no database: nothing connects to it. */
const nowhere = "postgresql://nobody@127.0.0.1:9/none";

/**
 * The wasm schema engine over one database. The package's own entry imports the .wasm file as a module, which Node does only
 * behind a flag, so it is instantiated by hand.
 * @param {{ url?: string, schemaFiles: string[] }} options
 */
export async function createEngine({ url = nowhere, schemaFiles }) {
  const file = path.join(path.dirname(fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm"))), "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const datamodels = schemaFiles.map((name) => [name, readFileSync(name, "utf8")]);
  return glue.SchemaEngine.new({ datamodels: datamodels.length > 0 ? datamodels : undefined }, () => {}, migrationAdapter(url));
}
