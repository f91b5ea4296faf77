import { AppError, isAppError, type JsonObject } from "@gantry/contracts";
import { openSecret, sealSecret } from "@gantry/platform";
import type { ServiceContext } from "../context.ts";
import { valueAt, withoutValue, withValue } from "./json-path.ts";
import type { SectionRef, StoredSection } from "./section.ts";

/** A whole section with its secrets in clear: only ever inside one write. */
export type OpenSection = { readonly value: JsonObject; readonly opened: Readonly<Record<string, string>> };

/**
 * Puts the sealed values back into the section, but those that the write replaces or takes out: they are not needed, and may be unreadable.
 * @throws SECRET_UNREADABLE for one that was sealed with another master key
 */
export function openSection(ctx: ServiceContext, ref: SectionRef, stored: StoredSection, replaces: (path: string) => boolean): OpenSection {
  const kept = Object.entries(stored.secrets).filter(([path]) => !replaces(path));
  const opened = Object.fromEntries(kept.map(([path, sealed]) => [path, open(ctx, ref, path, sealed)]));
  const value = Object.entries(opened).reduce<JsonObject>((sum, [path, plain]) => withValue(sum, path, plain) ?? sum, stored.value);
  return { value, opened };
}

/** The section as it is stored: what the namespace marks as secret is taken out and sealed; a value that did not change keeps its seal. */
export function sealSection(ctx: ServiceContext, ref: SectionRef, value: JsonObject, stored: StoredSection, opened: OpenSection["opened"]) {
  let shown = value;
  const secrets: Record<string, string> = {};
  for (const path of ref.namespace.secrets) {
    const plain = valueAt(value, path);
    if (plain === undefined) continue;
    if (typeof plain !== "string") throw new AppError("INPUT_REFUSED", `${path}: A secret is a text. Enter it as such.`);
    shown = withoutValue(shown, path);
    const before = stored.secrets[path];
    const isKept = before !== undefined && (opened[path] ?? openIfReadable(ctx, ref, path, before)) === plain;
    secrets[path] = isKept ? before : seal(ctx, ref, path, plain);
  }
  return { value: shown, secrets };
}

/** What the section says besides its secrets (N-7). */
export function redactedValue(secretPaths: readonly string[], value: JsonObject): JsonObject {
  return secretPaths.reduce<JsonObject>((sum, path) => withoutValue(sum, path), value);
}

const ownerOf = ({ orgId }: ServiceContext, { namespace, level, subject }: SectionRef, path: string) => ({
  orgId,
  id: ["settings", namespace.name, level, subject, path].join("|"),
});

const seal = (ctx: ServiceContext, ref: SectionRef, path: string, plain: string): string =>
  sealSecret(ctx.env.GANTRY_MASTER_KEY, ownerOf(ctx, ref, path), plain).toString("base64");

const open = (ctx: ServiceContext, ref: SectionRef, path: string, sealed: string): string =>
  openSecret(ctx.env.GANTRY_MASTER_KEY, ownerOf(ctx, ref, path), Buffer.from(sealed, "base64"));

/** Null for one that another master key sealed: it is being replaced. */
function openIfReadable(ctx: ServiceContext, ref: SectionRef, path: string, sealed: string): string | null {
  try {
    return open(ctx, ref, path, sealed);
  } catch (error) {
    if (!isAppError(error, "SECRET_UNREADABLE")) throw error;
    return null;
  }
}
