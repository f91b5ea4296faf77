export * as spillPolicy from "./policy.ts";
export type { SpillSeam } from "./seam.ts";
export * as spillStore from "./store.ts";
