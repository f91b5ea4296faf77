import type { Context } from "@gantry/kernel";
import { Settings } from "./settings.ts";

declare module "@gantry/kernel" {
  interface Context {
    settings: Settings;
  }
}

export const name = "settings";
export const inject = ["settingsStore"];

export function apply(ctx: Context): void {
  new Settings(ctx, ctx.settingsStore);
}
