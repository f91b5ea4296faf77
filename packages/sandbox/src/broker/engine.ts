import { AppError, isAppError } from "@gantry/contracts";
import Docker from "dockerode";

const unreachable = new Set(["ECONNREFUSED", "ENOENT", "EACCES", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);
type EngineError = Error & { code?: string; statusCode?: number; json?: { message?: string } };

/** The engine, behind one rule: no call waits for ever, and an engine that does not answer is ENGINE_DOWN, which says nothing about its worlds (CP-27). */
export class Engine {
  readonly docker: Docker;

  constructor(docker: Docker = new Docker()) {
    this.docker = docker;
  }

  /** @throws AppError ENGINE_DOWN; the engine's own refusals rise with their `statusCode` */
  async call<T>(timeoutMs: number, work: (docker: Docker) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(engineDown("it did not answer in time")), timeoutMs);
    });
    try {
      return await Promise.race([work(this.docker), late]);
    } catch (error) {
      if (!isAppError(error) && unreachable.has((error as EngineError).code ?? ""))
        throw engineDown("nothing answers at its socket", error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

export function statusCodeOf(error: unknown): number | undefined {
  return (error as EngineError).statusCode;
}

export function engineMessage(error: unknown): string {
  return (error as EngineError).json?.message ?? (error instanceof Error ? error.message : "unknown");
}

function engineDown(why: string, cause?: unknown): AppError {
  return new AppError(
    "ENGINE_DOWN",
    `The container engine is not available: ${why}. Start Docker on this host; sessions go on once it answers.`,
    { cause },
  );
}
