import { type Agent, applyCommand } from "@gantry/agent";
import { pendingCommands } from "@gantry/db";
import type { SessionRef, WorkerDeps } from "./compose.ts";
import type { SessionHeader } from "./load-session.ts";
import type { Selection } from "./open-agent.ts";
import type { UsedRoot } from "./roots/root-generation.ts";
import { selectPreset } from "./select-preset.ts";

type Draining = {
  readonly ref: SessionRef;
  readonly agent: Agent;
  readonly root: UsedRoot;
  readonly header: SessionHeader;
  /** carried out already, consumed with the batch that logs it */
  readonly selection: Selection | null;
};

/** Applies each waiting command once, in order (SES-34). */
export function commandDrain({ log }: Pick<WorkerDeps, "log">, { ref, agent, root, header, selection }: Draining): () => Promise<void> {
  const applied = new Set<string>(selection?.commandIds);
  return async () => {
    for (const { id, payload } of await pendingCommands(ref.orgId, ref.sessionId)) {
      if (applied.has(id)) continue;
      applied.add(id);
      if (payload.kind === "select-preset") await selectPreset({ ref, agent, root, header, log }, payload);
      else applyCommand(agent, payload);
      agent.log.consume(id);
    }
  };
}
