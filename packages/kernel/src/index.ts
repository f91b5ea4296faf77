// `export *` and not a list: declaration merging on this module finds only what is re-exported whole (K-33).
export * from "./audit.ts";
export * from "./close-root.ts";
export * from "./context.ts";
export * from "./deadline.ts";
export * from "./entries.ts";
export * from "./errors.ts";
export * from "./events.ts";
export * from "./inspect.ts";
export * from "./logger.ts";
export { type Handle, type HandleState, mount } from "./mount.ts";
export {
  type ClassPlugin,
  type ConfigInput,
  definePlugin,
  type FunctionPlugin,
  type MountOptions,
  type ObjectPlugin,
  type Plugin,
} from "./plugin.ts";
export * from "./provide-managed.ts";
export * from "./quiesce.ts";
export * from "./root.ts";
export type { RootMeta } from "./root-state.ts";
export * from "./scope.ts";
export { isForeignScope } from "./scope-home.ts";
export * from "./scope-links.ts";
export * from "./scoped-layers.ts";
export * from "./service.ts";
export * from "./services-in.ts";
export { describeThrown } from "./thrown.ts";
