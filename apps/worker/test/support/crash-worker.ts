// A worker process as it ships, with roots that have fixture tools and may die at a point of the log: node crash-worker.ts '<CrashOptions>'
import { OrgRoots } from "../../src/roots/org-roots.ts";
import { type CrashOptions, instrument } from "./crash-roots.ts";
import { upLine } from "./crash-up.ts";

instrument(OrgRoots.prototype, JSON.parse(process.argv[2] ?? "{}") as CrashOptions);
await import("../../src/main.ts");
console.log(upLine);
