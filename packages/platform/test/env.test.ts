import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { parseEnv } from "../src/env.ts";
import { brokerSchema, envSchema, envVariables } from "../src/env-schema.ts";

const minimal = {
  DATABASE_URL: "postgresql://app@localhost/gantry",
  REDIS_URL: "redis://localhost:6379",
  GANTRY_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  NEXTAUTH_SECRET: "0123456789abcdef",
  NEXTAUTH_URL: "http://localhost:3000",
  GANTRY_DATA_DIR: "/srv/gantry",
};
const parse = (extra: Record<string, string> = {}) => parseEnv(envSchema, { ...minimal, ...extra });

describe("environment", () => {
  test("defaults fill in what may be absent, and an empty value counts as absent", () => {
    const env = parse({ WORKSPACE_QUOTA_MB: "", GANTRY_SANDBOX_IMAGE: "" });
    assert.equal(env.WORKSPACE_QUOTA_MB, 2048);
    assert.equal(env.GANTRY_SANDBOX_IMAGE, "gantry-sandbox:local");
    assert.equal(env.GANTRY_BROKER_SOCKET, "/srv/gantry/run/broker.sock");
    assert.equal(env.SIGNUP_OPEN, true);
    assert.equal(env.GANTRY_MASTER_KEY.length, 32);
  });

  for (const [name, value] of [
    ["DATABASE_URL", "mysql://x"],
    ["GANTRY_MASTER_KEY", Buffer.alloc(31).toString("base64")],
    ["GANTRY_MASTER_KEY", "not base64 at all"],
    ["GANTRY_DATA_DIR", "relative/dir"],
    ["LEASE_TTL_MS", "soon"],
    ["LEASE_HEARTBEAT_MS", "20000"],
    ["WORKER_CONCURRENCY", "-1"],
    ["SIGNUP_OPEN", "yes"],
    ["NEXTAUTH_URL", "localhost"],
    ["LOG_LEVEL", "loud"],
  ] as const)
    test(`a wrong ${name} stops the start and is named, its value is not`, () => {
      assert.throws(
        () => parse({ [name]: value }),
        (error: Error) => error.message.includes(`  ${name}: `) && !error.message.includes(value),
      );
    });

  test("everything that is wrong is named at once", () => {
    assert.throws(
      () => parseEnv(envSchema, {}),
      (error: Error) => Object.keys(minimal).every((name) => error.message.includes(name)),
    );
  });

  test("OIDC takes all of its variables or none", () => {
    const all = { OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "c", OIDC_CLIENT_SECRET: "s", OIDC_NAME: "Example" };
    assert.equal(parse(all).OIDC_NAME, "Example");
    assert.throws(() => parse({ ...all, OIDC_CLIENT_SECRET: "" }), /OIDC_CLIENT_SECRET: is missing/);
  });

  test("the broker starts without a database address or a key", () => {
    assert.equal(parseEnv(brokerSchema, { GANTRY_DATA_DIR: "/srv/gantry" }).GANTRY_SANDBOXD_DIR, "/srv/gantry/sandboxd");
  });

  test(".env.example names exactly the variables that are read", async () => {
    const example = await readFile(new URL("../../../.env.example", import.meta.url), "utf8");
    const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), envVariables.toSorted());
  });
});
