#!/usr/bin/env node
// A schema engine for the Prisma CLI without Prisma's binary host: the CLI starts the program that
// PRISMA_SCHEMA_ENGINE_BINARY names and talks JSON-RPC over stdio; this one answers from the wasm build of the same engine,
// which reaches the database through @prisma/adapter-pg. Node 20 or newer.
import { parseArgs } from "node:util";
import { runCliCommand } from "./cli-commands.mjs";
import { serveRpc } from "./rpc.mjs";

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { datasource: { type: "string" }, datamodels: { type: "string", multiple: true } },
});
const url = values.datasource ? JSON.parse(values.datasource).url : undefined;

if (positionals[0] === "cli") process.exitCode = await runCliCommand(positionals[1], url);
else await serveRpc({ url, schemaFiles: values.datamodels ?? [] });
