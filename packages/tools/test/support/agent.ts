import type { EventDraft, SessionEvent } from "@gantry/contracts";
import type { SandboxMode, World } from "@gantry/sandbox/seams";
import type { ToolAgent } from "../../src/index.ts";

/** An agent with a log in memory. `log` is what it appended. */
export type TestAgent = ToolAgent & { readonly log: SessionEvent[] };

export function testAgent(
  options: { log?: SessionEvent[]; world?: World; mode?: SandboxMode; scope?: object; sessionId?: string } = {},
): TestAgent {
  const log: SessionEvent[] = options.log ?? [];
  return {
    scope: options.scope ?? {},
    orgId: "0190a0a0-0000-7000-8000-000000000001",
    sessionId: options.sessionId ?? "0190a0a0-0000-7000-8000-000000000002",
    userId: "0190a0a0-0000-7000-8000-000000000003",
    cwd: "/workspace",
    log,
    history: () => log,
    append(draft: EventDraft): SessionEvent {
      const event = { ...draft, seq: log.length, time: 0 } as SessionEvent;
      log.push(event);
      return event;
    },
    async world() {
      if (!options.world) throw new Error("this test agent has no world");
      return options.world;
    },
    openSibling: async () => {
      throw new Error("this test agent has no second world");
    },
    sandboxMode: () => options.mode ?? "workspace-write",
  };
}
