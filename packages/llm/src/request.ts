import type { ImageBlock, ImageMediaType, Message, ToolSchema } from "@gantry/contracts";

export type LlmPurpose = "main" | "session-title" | "compaction";

/** One provider attempt. `provider` is the slug of a registered adapter. The adapter never changes the request. */
export type LlmRequest = {
  readonly provider: string;
  readonly model: string;
  readonly maxTokens?: number;
  /** One of the route's efforts; `"off"` asks for no thinking. Absent: the provider's own default. */
  readonly reasoningEffort?: string;
  readonly system?: string;
  readonly tools?: readonly ToolSchema[];
  readonly messages: readonly Message[];
  /** gives what the images among the messages show; absent: the model is told that they are left out */
  readonly images?: ImageSource;
  readonly sessionId: string;
  /** for whom; absent: nobody in particular */
  readonly userId?: string;
  readonly purpose: LlmPurpose;
  readonly signal: AbortSignal;
};

/** An image as it goes along with a request, or the text that stands in its place. */
export type RequestImage =
  | {
      readonly kind: "data";
      readonly mediaType: ImageMediaType;
      readonly bytes: Uint8Array;
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: "omitted"; readonly text: string };
/** Answers for each of the blocks, in their order: oldest first, one as often as it is shown. */
export type ImageSource = (blocks: readonly ImageBlock[], signal: AbortSignal) => Promise<readonly RequestImage[]>;

/** A request whose image blocks are all to be sent: the others have given way to text (LLM-10). */
export type AdapterRequest = Omit<LlmRequest, "images"> & {
  readonly imageData?: ReadonlyMap<ImageBlock, Extract<RequestImage, { kind: "data" }>>;
};

/** What is known of a route (LLM-9). Advisory: a model that is not listed may still be accepted by the provider. */
export type ModelInfo = {
  readonly provider: string;
  readonly model: string;
  /** tokens */
  readonly contextWindow?: number;
  /** default output limit, tokens */
  readonly maxTokens?: number;
  /** the model is known to look at images */
  readonly acceptsImages?: boolean;
  readonly efforts?: readonly string[];
  readonly defaultEffort?: string;
};
