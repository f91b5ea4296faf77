import { createInterface } from "node:readline";
import { createDatabase } from "./databases.mjs";
import { asOnlyMigrator } from "./migration-lock.mjs";
import { createEngine } from "./wasm-engine.mjs";

/** Answers the CLI's requests, one line of JSON each, in order, until stdin ends. */
export async function serveRpc(options) {
  let engine;
  const getEngine = () => (engine ??= createEngine(options));
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request = JSON.parse(line);
    if (!request.method) continue; // the CLI's answer to `print`
    send({ jsonrpc: "2.0", id: request.id, ...(await answer(request, { getEngine, url: options.url })) });
  }
  process.exit(0); // pooled connections would keep the process
}

async function answer({ id, method, params }, { getEngine, url }) {
  try {
    if (method === "createDatabase") return { result: { databaseName: await createDatabase(params.datasource.url) } };
    const engine = await getEngine();
    if (method === "getDatabaseVersion") return { result: await engine.version(params) };
    return { result: (await call(engine, { method, params, id, url })) ?? {} };
  } catch (error) {
    return { error: asRpcError(error) };
  }
}

async function call(engine, { method, params, id, url }) {
  if (method === "diff") return printed(await engine.diff(params), id);
  if (method === "applyMigrations") {
    const onWait = () => print(id, "Another deploy migrates this database. Waiting for it.");
    return asOnlyMigrator(url, { apply: () => engine.applyMigrations(params), onWait });
  }
  if (method === "evaluateDataLoss" || method === "createMigration") {
    // the wasm build works on a cache that only devDiagnostic fills
    await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
  }
  if (typeof engine[method] !== "function") throw new Error(`The schema engine has no method "${method}".`);
  return engine[method](params);
}

/** The native engine asks the CLI to print a diff; the wasm build returns it. */
function printed({ stdout, exitCode }, id) {
  if (stdout !== null && stdout !== undefined) print(id, stdout);
  return { exitCode, stdout: null };
}

function print(id, content) {
  send({ jsonrpc: "2.0", id: `print-${id}`, method: "print", params: { content } });
}

function asRpcError(error) {
  const message = error?.message ?? String(error);
  return { code: 4466, message, data: { is_panic: false, message, error_code: error?.code ?? null, meta: error?.meta ?? null } };
}

function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
