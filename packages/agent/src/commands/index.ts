import type { Context } from "@gantry/kernel";
import { Commands } from "./commands.ts";

export type * from "./types.ts";
export const name = "commands";
export const inject: string[] = [];

export function apply(ctx: Context): void {
  new Commands(ctx);
}
