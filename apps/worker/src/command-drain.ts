import { type Agent, applyAnswer, applyCommand, setPermission } from "@gantry/agent";
import { isAppError } from "@gantry/contracts";
import { pendingCommands, readPrompt } from "@gantry/db";
import type { Logger } from "@gantry/platform";
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
      else if (payload.kind === "answer")
        applyAnswer(agent, payload.promptId, await readPrompt(ref.orgId, ref.sessionId, payload.promptId));
      else if (payload.kind === "set-permission") trySetPermission(agent, payload.preset, log);
      else applyCommand(agent, payload);
      agent.log.consume(id);
    }
  };
}

/** Whoever asked was told at once by the same rules; what changed since is seen in the session. */
function trySetPermission(agent: Agent, preset: string, log: Logger): void {
  try {
    setPermission(agent, preset);
  } catch (err) {
    if (!isAppError(err)) throw err;
    log.warn({ sessionId: agent.sessionId, err }, "a permission preset was not set");
  }
}
