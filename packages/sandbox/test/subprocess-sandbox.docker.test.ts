import { describe } from "node:test";
import * as sandboxed from "../src/plugins/subprocess-sandbox.ts";
import type { World } from "../src/types.ts";
import { skip, useBench } from "./support/bench.ts";
import { subprocessContract } from "./support/subprocess-contract.ts";

describe("the sandbox as provider of subprocess", { skip }, () => {
  const bench = useBench();
  let world: Promise<World> | undefined;
  subprocessContract(sandboxed, async () => {
    world ??= bench.open();
    const opened = await world;
    return { orgId: "org", sessionId: "session", world: async () => opened, sandboxMode: () => "workspace-write" };
  });
});
