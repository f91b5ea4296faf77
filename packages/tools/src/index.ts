/** Plugins, each with `name`, `inject`, `Config` and `apply`. */

export type { SiblingWorld, ToolAgent } from "./agent.ts";
export * as toolAskUser from "./ask-user/index.ts";
export type { QuestionRequest, UserQuestionsSeam } from "./ask-user/seam.ts";
export type { AttachmentsSeam, GivenImage, SavedImage } from "./attachments/seam.ts";
export * as toolBash from "./bash/index.ts";
export { defineTool, type ToolSpec } from "./define-tool.ts";
export type { Observation } from "./fs/events.ts";
export * as toolFs from "./fs/index.ts";
export * as fsObservationPolicy from "./fs-observation/index.ts";
export * as toolFsSearch from "./fs-search/index.ts";
export * as systemPromptPlugin from "./prompt/index.ts";
export * from "./prompt/orders.ts";
export type { SystemPrompt } from "./prompt/service.ts";
export type * from "./prompt/types.ts";
export * as toolsPlugin from "./registry/index.ts";
export {
  type ApprovalAnswer,
  type ApprovalOutcome,
  type ApprovalQuestion,
  type ApprovalSeam,
  type ErrorInfo,
  ParkedCall,
  type PresentationView,
  ToolError,
  type ToolFilter,
  type ToolPresentation,
  type ToolRegistry,
} from "./registry/index.ts";
export type * from "./registry/types.ts";
export * as repeatToolReminder from "./repeat-reminder/index.ts";
export { type SpillSeam, spillPolicy, spillStore } from "./spill/index.ts";
export * as toolTimeoutPolicy from "./timeout/index.ts";
export * as toolTodo from "./todo/index.ts";
