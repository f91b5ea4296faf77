/** One message of a model request in a shape that is the same for all wires. */
export type ScriptMessage =
  /** `images`: how many came along, absent for none */
  | { readonly role: "user"; readonly text: string; readonly images?: number }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly reasoning: string;
      /** the signature of signed thinking, where the wire has one */
      readonly signature?: string;
      readonly toolCalls: readonly ScriptToolCall[];
    }
  | { readonly role: "tool"; readonly callId: string; readonly text: string; readonly images?: number };

export type ScriptToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

export type ScriptRequest = {
  /** 0-based, over the life of the server */
  readonly index: number;
  readonly wire: "chat-completions" | "messages" | "responses";
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ScriptMessage[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** the key that came with it */
  readonly key: string | null;
  /** the body as it was sent */
  readonly body: Readonly<Record<string, unknown>>;
  /** resolves when the answer is over, with who ended it */
  readonly ended: Promise<"server" | "client">;
};

export type Usage = {
  /** all input tokens, cached ones included */
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly cacheWritten?: number;
  readonly reasoning?: number;
};

/** Ways to fail. `afterChunks` counts the pieces sent before. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter?: string | number;
      readonly message?: string;
      readonly type?: string;
      readonly location?: string;
    }
  /** the socket is destroyed */
  | { readonly kind: "cut"; readonly afterChunks: number }
  /** a clean end of the body without the end mark */
  | { readonly kind: "close"; readonly afterChunks: number }
  /** an event stream whose data is no JSON */
  | { readonly kind: "garbage" }
  /** a web page with status 200 */
  | { readonly kind: "html" }
  /** nothing more is sent; the connection stays open until the client leaves */
  | { readonly kind: "silent"; readonly afterChunks: number }
  /** an error object inside the stream */
  | { readonly kind: "error-event"; readonly message: string; readonly type: string };

export type Reply = {
  readonly reasoning?: string;
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object | string; readonly id?: string }[];
  /** the finish word of chat completions; the other wires translate it. Default: `tool_calls` with calls, else `stop` */
  readonly finish?: string;
  readonly usage?: Usage;
  /** pause before each piece, ms */
  readonly delayMs?: number;
  /** UTF-16 units a piece; default 7, so that words and JSON are split in awkward places */
  readonly chunkSize?: number;
  readonly fault?: Fault;
  /** comment lines sent every so many ms while waiting, to test what re-arms a timeout */
  readonly commentEveryMs?: number;
  /** event data to send instead of everything above; the end mark still follows */
  readonly rawData?: readonly string[];
};

/** Decides from the request alone, so that repeats, retries and resumed sessions get the same answer. */
export type Script = (request: ScriptRequest) => Reply | Promise<Reply>;
