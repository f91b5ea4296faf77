import type { z } from "zod";

type Definition<N extends string, S extends z.ZodType> = {
  /** Also the name of its queue: a job that lasts minutes never keeps one of another kind waiting. */
  readonly name: N;
  /** Ids and counters only: state lives in Postgres, content in the log, secrets nowhere near Redis. */
  readonly payload: S;
  /** Names the job: while Redis holds one of that name, adding it again does nothing. Without ":" and not a bare number. */
  readonly key: (payload: z.infer<S>) => string;
  /** How many of it one worker process runs at once; absent: the worker's own concurrency. */
  readonly concurrency?: number;
  /** A handler that throws is called again, up to so many times altogether, after 1 s, 2 s, 4 s … */
  readonly attempts: number;
  /** Finished jobs to keep for the operator; 0 frees the key at once, so that the same work can be asked for again. */
  readonly keep: number;
};

export type DefinedJob<N extends string = string, S extends z.ZodType = z.ZodType> = Definition<N, S>;
export type JobPayload<J extends { readonly payload: z.ZodType }> = z.infer<J["payload"]>;

/** Declares a queue job: its name, what it carries and what makes two of it the same. The handler is the worker's. */
export function defineJob<N extends string, S extends z.ZodType>(
  job: Omit<Definition<N, S>, "attempts" | "keep"> & { attempts?: number; keep?: number },
): DefinedJob<N, S> {
  return { attempts: 3, keep: 1_000, ...job };
}
