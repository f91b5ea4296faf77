import { AppError } from "@gantry/contracts";
import type { Layer } from "../layers/layer.ts";
import { base } from "./base.ts";
import { type Bundle, bundleLayer } from "./bundle.ts";

/** Each profile is an ordered list of bundles; composing starts from no row. A surface's own bundle comes with its first own row. */
const profiles: ReadonlyMap<string, readonly Bundle[]> = new Map([["web", [base]]]);

export const profileNames = [...profiles.keys()];

/** The bundle layers of a profile. @throws AppError NOT_FOUND listing the profiles there are */
export function profileLayers(profile: string): Layer[] {
  const bundles = profiles.get(profile);
  if (!bundles) throw new AppError("NOT_FOUND", `There is no profile of this name. Choose one of: ${profileNames.join(", ")}.`);
  return bundles.map(bundleLayer);
}
