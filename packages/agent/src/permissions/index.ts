import { PermissionPreset, permissionPresets } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { z } from "zod";
import { Permissions } from "./service.ts";

export const name = "permission-presets";
export const inject: string[] = [];
export const Config = z.strictObject({
  presets: z
    .array(PermissionPreset)
    .min(1)
    .default([...permissionPresets]),
});

/** Provides `permissions`. */
export function apply(ctx: Context, { presets }: z.infer<typeof Config>): void {
  new Permissions(ctx, presets);
}
