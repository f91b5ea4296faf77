import type { AppRouter } from "@gantry/api";
import type { inferRouterOutputs } from "@trpc/server";

export type Outputs = inferRouterOutputs<AppRouter>;
export type Me = Outputs["me"]["get"];
export type SessionItem = Outputs["session"]["list"]["items"][number];
export type WorkspaceItem = Outputs["workspace"]["list"]["items"][number];
export type ProviderItem = Outputs["provider"]["list"][number];
export type LoginItem = Outputs["me"]["logins"][number];
export type PresetItem = Outputs["preset"]["list"][number];
export type PresetDetail = Outputs["preset"]["get"];
export type RowDiff = Outputs["preset"]["diff"]["rows"][number];
export type DumpedRow = PresetDetail["rows"][number];
export type SessionPreset = NonNullable<Outputs["session"]["get"]["preset"]>;
