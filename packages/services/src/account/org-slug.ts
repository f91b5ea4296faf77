import { randomInt } from "node:crypto";
import { OrgSlug } from "@gantry/contracts";

const maxChars = 32;
const suffixAlphabet = "abcdefghjkmnpqrstuvwxyz23456789";
/** Names that are, or may become, paths of the application beside the organisations. */
const reserved = new Set([
  "api",
  "app",
  "admin",
  "account",
  "login",
  "logout",
  "new",
  "org",
  "orgs",
  "settings",
  "sign-in",
  "sign-up",
  "signin",
  "signup",
  "static",
  "www",
]);

/** A slug made of an organisation's name: lower case, ASCII, dashes; "org" when nothing of the name remains. */
export function orgSlug(name: string): string {
  const ascii = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = ascii
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxChars)
    .replace(/^-+|-+$/g, "");
  return OrgSlug.safeParse(slug).success && !reserved.has(slug) ? slug : slugVariant("org");
}

/** The slug with a random end, for when it is taken. */
export function slugVariant(slug: string): string {
  const suffix = Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join("");
  return `${slug}-${suffix}`;
}
