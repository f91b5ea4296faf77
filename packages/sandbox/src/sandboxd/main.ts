import { Socket } from "node:net";
import { lineSplitter } from "../protocol/lines.ts";
import { createHandlers } from "./handlers.ts";
import { takeIdentity } from "./identity.ts";
import { openOomScore } from "./proc/oom.ts";
import { Runs } from "./proc/runs.ts";
import { createSpawner } from "./proc/spawn.ts";
import { Server } from "./server.ts";
import { readSettings } from "./settings.ts";

// The first process of a world: does files and processes for the worker at the other end of its stdio.
const settings = readSettings(process.env);
const oomScore = openOomScore();
oomScore.forSelf();
process.chdir("/");
const identity = takeIdentity(settings);
const runs = new Runs(createSpawner(identity, settings, oomScore));

const out = new Socket({ fd: 1, readable: false, writable: true });
out.on("error", () => {}); // nobody attached: what is written goes nowhere
const server = new Server(createHandlers(runs, settings), out);
// a line that is too long can only come from a broken worker: stop listening and let the world expire
const onChunk = lineSplitter(
  (line) => server.receive(line),
  () => process.exit(70),
);
process.stdin.on("data", onChunk);
process.stdin.on("error", () => {});
process.on("SIGXFSZ", () => {}); // a file over its limit is an error of that write, not our end
process.on("SIGTERM", () => process.exit(0));
