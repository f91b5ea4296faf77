import { checkSection, effectiveSettings, settingsNamespaces } from "@gantry/compose";
import { AppError, type JsonObject } from "@gantry/contracts";
import { describeThrown } from "@gantry/kernel";
import type { Reading } from "./section.ts";

/**
 * Reads the value of a namespace from what the org stored, over what the row says (N-2). `validate` says why a value is refused as a whole, or null.
 * @throws AppError NOT_FOUND when the catalogue has no such namespace
 */
export function readerOf<T>(name: string, base: JsonObject, validate: (value: T) => string | null): (stored: JsonObject) => Reading<T> {
  const namespace = settingsNamespaces.find((known) => known.name === name);
  if (!namespace) throw new AppError("NOT_FOUND", `There is no settings namespace "${name}". Describe it in the catalogue first.`);
  const wrongBase = checkSection(namespace, base);
  const verdict = (value: T): string | null => {
    try {
      return validate(value);
    } catch (error) {
      return `The check of the settings failed: ${describeThrown(error)}`; // others wait for the same news
    }
  };
  return (stored) => {
    const problems = [...wrongBase, ...checkSection(namespace, stored)];
    if (problems.length > 0) return { value: null, refused: problems.join(" ") };
    const value = effectiveSettings(namespace, { base, org: stored }) as T;
    const refused = verdict(value);
    return refused === null ? { value, refused } : { value: null, refused };
  };
}
