import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { envVariables } from "../../../packages/platform/src/env-schema.ts";
import { inRoot } from "../lib/paths.mjs";

const compose = readFileSync(inRoot("docker-compose.yml"), "utf8");

/** Given by the images, or left at their defaults below the data folder. */
const elsewhere = ["NODE_ENV", "GANTRY_BROKER_SOCKET", "GANTRY_SANDBOXD_DIR"];

test("every variable that Gantry reads can be set through the compose file", () => {
  const missing = envVariables.filter((name) => !elsewhere.includes(name) && !new RegExp(`^\\s+${name}: `, "m").test(compose));
  assert.deepEqual(missing, []);
});

test("only the broker has the Docker socket, and it has no key and no database", () => {
  const services = compose.slice(compose.indexOf("\nservices:")).split(/\n(?= {2}[a-z-]+:\n)/);
  const withSocket = services.filter((text) => text.includes("/var/run/docker.sock"));
  assert.deepEqual(
    withSocket.map((text) => text.trim().split(":")[0]),
    ["broker"],
  );
  assert.match(withSocket[0], /environment: \*sandbox\n/);
  const sandboxBlock = compose.slice(compose.indexOf("x-sandbox:"), compose.indexOf("x-application:"));
  assert.doesNotMatch(sandboxBlock, /DATABASE|REDIS|KEY|SECRET/);
});
