import type { Context } from "@gantry/kernel";
import { Agents } from "./agents.ts";

export * from "./agent.ts";
export { Agents };

export const name = "agents";

export function apply(ctx: Context): void {
  new Agents(ctx);
}
