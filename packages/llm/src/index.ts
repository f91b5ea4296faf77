export * from "./adapter.ts";
export * from "./assemble.ts";
export * from "./chunks.ts";
export * from "./credentials.ts";
export * from "./events.ts";
export { type FailureCode, failure, failureOfThrown, LlmFailureError } from "./failure.ts";
export { guardStream } from "./guard-stream.ts";
export * from "./request.ts";
export * from "./service.ts";
