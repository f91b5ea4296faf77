import { isReleased } from "../loop/cancel.ts";
import type { CommandOutcome, CommandRun, HumanCommand } from "./types.ts";

/** Log, run, log (CMD-2). A released session writes nothing more: its next holder ends what is open (C15). @throws what the handler threw */
export async function execute(command: HumanCommand, run: CommandRun): Promise<CommandOutcome> {
  const { agent, commandId, name, args, userId, signal } = run;
  const input = command.recordInput === false || args === "" ? {} : { args };
  agent.log.append({ type: "command/run", data: { commandId, name, ...input, ...(userId ? { userId } : {}) } });
  const finish = (outcome: CommandOutcome): CommandOutcome => {
    if (!agent.log.isFenced && !isReleased(signal)) agent.log.append({ type: "command/done", data: { commandId, ...outcome } });
    return outcome;
  };
  if (!command.acceptsAttachments && (run.attachments?.length ?? 0) > 0)
    return finish({ kind: "error", text: `/${name} takes no files. Send it without them.` });
  let outcome: CommandOutcome;
  try {
    outcome = await endsBeforeAbort(async () => command.run(run), signal);
  } catch (error) {
    const text = signal.aborted ? `/${name} was stopped.` : `/${name} failed: ${error instanceof Error ? error.message : String(error)}`;
    finish({ kind: "error", text });
    throw error;
  }
  return finish(outcome);
}

/** A handler that ignores its signal is not waited for after an abort. @throws the signal's reason then */
async function endsBeforeAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
