export { signatureOf } from "./anthropic-messages.ts";
export type * from "./script.ts";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./server.ts";
export * from "./steps.ts";
