import { type Agent, applyAnswer, applyCommand, setPermission } from "@gantry/agent";
import { isAppError } from "@gantry/contracts";
import { type PendingCommand, pendingCommands, pendingPage, readPrompt } from "@gantry/db";
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
  /** aborts when the session is to be given to another worker */
  readonly leave: AbortSignal;
  /** carried out already, consumed with the batch that logs it */
  readonly selection: Selection | null;
};

type Drain = (waiting: readonly PendingCommand[]) => Promise<void>;

/**
 * Applies each waiting command once, in order (SES-34), those behind the ones that were read too. A human command finds no agent at rest in a worker that
 * leaves: it waits for the next holder, and so does what was asked after it (REC-4).
 */
export function commandDrain({ log }: Pick<WorkerDeps, "log">, { ref, agent, root, header, leave, selection }: Draining): Drain {
  const applied = new Set<string>(selection?.commandIds);
  /** Whether it took something and may take more. */
  const apply = async (waiting: readonly PendingCommand[]): Promise<boolean> => {
    let hasTaken = false;
    for (const { id, payload } of waiting) {
      if (applied.has(id)) continue;
      if (payload.kind === "command" && leave.aborted) return false;
      applied.add(id);
      if (payload.kind === "select-preset") await selectPreset({ ref, agent, root, header, log }, payload);
      else if (payload.kind === "answer")
        applyAnswer(agent, payload.promptId, await readPrompt(ref.orgId, ref.sessionId, payload.promptId));
      else if (payload.kind === "set-permission") trySetPermission(agent, payload.preset, log);
      else applyCommand(agent, payload);
      agent.log.consume(id);
      hasTaken = true;
    }
    return hasTaken;
  };
  return async (first) => {
    for (let page = first; (await apply(page)) && page.length === pendingPage; ) {
      await agent.log.flush(); // else the same ones are read again
      page = await pendingCommands(ref.orgId, ref.sessionId);
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
