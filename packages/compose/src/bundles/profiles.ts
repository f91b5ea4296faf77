import { AppError } from "@gantry/contracts";
import type { Layer } from "../layers/layer.ts";
import { base } from "./base.ts";
import { type Bundle, bundleLayer } from "./bundle.ts";
import { sdkMinimal } from "./sdk-minimal.ts";
import { headless, sdk, web } from "./surfaces.ts";

/** Each profile is an ordered list of bundles; composing starts from no row. `acp` comes with its surface. */
const profiles: ReadonlyMap<string, readonly Bundle[]> = new Map([
  ["web", [base, web]],
  ["headless", [base, headless]],
  ["sdk", [base, sdk]],
  ["sdk-minimal", [sdkMinimal]],
]);

export const profileNames = [...profiles.keys()];

/** The bundles of a profile, in order. @throws AppError NOT_FOUND listing the profiles there are */
export function profileBundles(profile: string): readonly Bundle[] {
  const bundles = profiles.get(profile);
  if (!bundles) throw new AppError("NOT_FOUND", `There is no profile of this name. Choose one of: ${profileNames.join(", ")}.`);
  return bundles;
}

export const profileLayers = (profile: string): Layer[] => profileBundles(profile).map(bundleLayer);
