import { type Context, Service } from "@gantry/kernel";
import type { LlmAdapter } from "./adapter.ts";
import type { StreamChunk } from "./chunks.ts";
import { failure } from "./failure.ts";
import { guardStream } from "./guard-stream.ts";
import { lateStream } from "./late-stream.ts";
import { projectImages } from "./project-images.ts";
import type { LlmRequest, ModelInfo } from "./request.ts";
import "./events.ts";

declare module "@gantry/kernel" {
  interface Context {
    llm: Llm;
  }
}

/** Thrown by `register` when the slug is taken. */
export class DuplicateAdapterError extends Error {
  readonly code = "DUPLICATE_ADAPTER";
  constructor(slug: string) {
    super(`A model adapter named "${slug}" is registered already. Give one of the two providers another slug.`);
    this.name = "DuplicateAdapterError";
  }
}

/** Kernel service `llm`: the registered model providers and the one way to call them. */
export class Llm extends Service {
  private readonly adapters: Map<string, LlmAdapter>;

  constructor(ctx: Context) {
    super(ctx, "llm");
    this.adapters = new Map();
  }

  /** Adds a provider for as long as the calling plugin lives. @throws DuplicateAdapterError */
  register(adapter: LlmAdapter): void {
    const { adapters } = this;
    this.ctx.effect(() => {
      if (adapters.has(adapter.slug)) throw new DuplicateAdapterError(adapter.slug);
      adapters.set(adapter.slug, adapter);
      return () => {
        adapters.delete(adapter.slug);
      };
    }, `llm adapter ${adapter.slug}`);
  }

  /**
   * One attempt. Provider faults are chunks, never exceptions (LLM-4): the stream always ends with exactly one finish.
   * Stop reading, or abort the request's signal, to give it up. @throws what a listener of `llm/stream` throws: no other attempt mends it (STP-6)
   */
  stream(request: LlmRequest): AsyncIterable<StreamChunk> {
    return { [Symbol.asyncIterator]: () => this.open(request)[Symbol.asyncIterator]() };
  }

  /** Says that a request of this route follows within a moment, so that its key is looked up meanwhile. */
  prepare({ provider }: { provider: string }): void {
    this.adapters.get(provider)?.prepare?.();
  }

  /** What is known of a route, or null when no adapter serves it. */
  resolve(route: { provider: string; model: string }): ModelInfo | null {
    return this.adapters.get(route.provider)?.resolve(route.model) ?? null;
  }

  list(): { slug: string; models: readonly string[] }[] {
    return [...this.adapters.values()].map(({ slug, models }) => ({ slug, models }));
  }

  /** The attempt itself, or what listeners made of it, held to the same contract. */
  private open(request: LlmRequest): AsyncIterable<StreamChunk> {
    const attempts = new Set<object>();
    const attempt = () => {
      const stream = guardStream(() => this.attempt(request), request);
      attempts.add(stream);
      return stream;
    };
    const stream = this.ctx.waterfall("llm/stream", request, attempt);
    return attempts.has(stream) ? stream : guardStream(() => stream, request, { throwsRise: true });
  }

  private attempt(request: LlmRequest): AsyncIterable<StreamChunk> {
    const adapter = this.adapters.get(request.provider);
    if (!adapter) return noAdapter();
    const acceptsImages = adapter.resolve(request.model)?.acceptsImages === true;
    return lateStream(async () => adapter.stream(await projectImages(request, acceptsImages)));
  }
}

async function* noAdapter(): AsyncGenerator<StreamChunk, void, undefined> {
  const message = "The model provider of this session does not exist any more. Choose another model.";
  yield { type: "finish", reason: { kind: "error", failure: failure("NO_ADAPTER", message) } };
}
