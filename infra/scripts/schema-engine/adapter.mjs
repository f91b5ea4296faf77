import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { withDatabase } from "./databases.mjs";

/** Postgres' internal "char", which the catalogue uses and adapter-pg cannot map, and the text that stands in for it. */
const internalChar = 18;
const text = 25;

/**
 * adapter-pg as the wasm engine can use it for migrations: it maps "char", runs a script whole and has a shadow database of its own.
 * @param {string} url
 */
export function migrationAdapter(url) {
  // idle connections stay: the engine's advisory lock lives on one of them
  const connect = (target) => new PrismaPg({ connectionString: target, idleTimeoutMillis: 0 }).connect().then(repaired);
  return bindMigrationAwareSqlAdapterFactory({
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: () => connect(url),
    connectToShadowDb: () => connectToShadow(url, connect),
  });
}

function repaired(adapter) {
  repairTypes(adapter);
  // adapter-pg splits at every ";", which cuts function bodies; one simple query runs the script as one implicit transaction
  adapter.executeScript = async (script) => {
    await adapter.client.query(script).catch((error) => adapter.onError(error));
  };
  return adapter;
}

/** Reads "char" columns as text and declares them as characters; on the prototype that connections and transactions share, once. */
function repairTypes(adapter) {
  const queryable = Object.getPrototypeOf(Object.getPrototypeOf(adapter));
  if (queryable.mapsInternalChar) return;
  const { queryRaw, performIO } = queryable;
  queryable.queryRaw = async function (query) {
    const characters = [];
    const asText = async (sent) => {
      const result = await performIO.call(this, sent);
      for (const [index, field] of result.fields.entries()) {
        if (field.dataTypeID !== internalChar) continue;
        field.dataTypeID = text;
        characters.push(index);
      }
      return result;
    };
    const answer = await queryRaw.call(Object.create(this, { performIO: { value: asText } }), query);
    for (const index of characters) answer.columnTypes[index] = ColumnTypeEnum.Character;
    return answer;
  };
  queryable.mapsInternalChar = true;
}

/** adapter-pg drops its shadow database while it is connected to it, and connects to the main one when the config is a URL. */
async function connectToShadow(url, connect) {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  const main = new pg.Pool({ connectionString: url, max: 1 });
  await main.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  const shadow = await connect(withDatabase(url, name));
  const dispose = shadow.dispose.bind(shadow);
  shadow.dispose = async () => {
    await dispose();
    await main.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    await main.end();
  };
  return shadow;
}
