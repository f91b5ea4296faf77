import { detached } from "../json.ts";
import type { Layer } from "../layers/layer.ts";
import type { Patch } from "../rows/row.ts";

/** A versioned patch list of the platform. */
export type Bundle = { readonly name: string; readonly version: number; readonly patches: readonly Patch[] };

export const bundleLayer = ({ name, version, patches }: Bundle): Layer => ({
  label: `${name}@${version}`,
  kind: "bundle",
  patches: detached(patches as never) as readonly Patch[],
});
