"use client";
import { useQuery } from "@tanstack/react-query";
import { admin } from "../../strings/en/admin.ts";
import { permissionTexts } from "../../strings/en/permissions.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { ConfigField } from "../yaml/config-fields.ts";

/** What people read in place of a field's values. */
export type Words = Readonly<Record<string, string>>;
type Choices = { fields: ConfigField[]; words: Readonly<Record<string, Words | undefined>>; gone: readonly string[] };

const fixedWords: Readonly<Record<string, Words | undefined>> = {
  "permissions.default": permissionTexts.names,
  "recovery.autoContinue": admin.settings.autoContinue,
};

/**
 * The default preset, provider and model are chosen from what there is, by their names. `stored`: what this level has. `gone`: what is stored and not among it
 * any more; it stays in the list, to be seen.
 */
export function useChoices(org: string, namespace: string, fields: ConfigField[], stored: Readonly<Record<string, unknown>>): Choices {
  const trpc = useTRPC();
  const presets = useQuery(trpc.preset.list.queryOptions({ org })).data;
  const providers = useQuery(trpc.provider.list.queryOptions({ org })).data;
  const named: Readonly<Record<string, Words | undefined>> = {
    ...fixedWords,
    "presets.default": namesBySlug(presets),
    "models.provider": namesBySlug(providers),
  };
  const options: Readonly<Record<string, readonly string[] | undefined>> = {
    "presets.default": presets?.filter(({ state }) => state === "ok").map(({ slug }) => slug),
    "models.provider": providers?.map(({ slug }) => slug),
    "models.model": providers && [...new Set(providers.flatMap(({ models }) => models))],
  };
  const gone: string[] = [];
  const chosen = fields.map((field): ConfigField => {
    const choices = options[`${namespace}.${field.name}`];
    if (!choices) return field;
    const value = stored[field.name];
    const isGone = typeof value === "string" && !choices.includes(value);
    if (isGone) gone.push(value);
    const shown = isGone ? [...choices, value] : choices;
    return { name: field.name, description: field.description, default: field.default, kind: "choice", options: shown };
  });
  const words = Object.fromEntries(fields.map(({ name }) => [name, named[`${namespace}.${name}`]]));
  return { fields: chosen, words, gone };
}

const namesBySlug = (items: readonly { readonly slug: string; readonly name: string }[] | undefined): Words | undefined =>
  items && Object.fromEntries(items.map(({ slug, name }) => [slug, name]));
