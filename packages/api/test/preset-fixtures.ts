import { randomUUID } from "node:crypto";
import type { ProcedureFixture, Target } from "./procedure-fixtures.ts";
import { draftAt } from "./store-preset.ts";

const preset = ({ org, presetSlug }: Target) => ({ org, slug: presetSlug });
const section = ({ org, workspaceId }: Target) => ({ org, namespace: "presets", level: "workspace", workspaceId });
const source = "- id: files\n  name: tool-fs\n";

const itemKeys = ["description", "hasDraft", "id", "isDefault", "isPlatform", "name", "order", "reasons", "revision", "slug", "state"];
const problemKeys = ["code", "message", "path"];
const draftKeys = ["at", "authorId", "description", "name", "order", "source"];
const revisionKeys = ["authorName", "createdAt", "hash", "name", "reason", "revision", "sessions"];
const diffKeys = ["by", "field", "from", "id", "kind", "to"];
const pluginKeys = ["config", "description", "isLocked", "isPlanned", "name", "planes", "provides", "requires"];
const sectionKeys = ["level", "mayWrite", "problems", "revision", "secrets", "values"];
const under = (list: string, keys: readonly string[]) => [list, ...keys.map((key) => `${list}.*.${key}`)];

/** Presets and settings. The target has a preset with two revisions and a draft, and its session is on the second one. */
export const presetFixtures: Readonly<Record<string, ProcedureFixture>> = {
  "preset.list": {
    access: "org",
    input: ({ org }) => ({ org }),
    namesIds: false,
    outputKeys: itemKeys.map((key) => `*.${key}`),
  },
  "preset.get": {
    access: "org",
    input: preset,
    namesIds: true,
    outputKeys: [
      ...itemKeys,
      "draft",
      ...[...draftKeys, ...under("problems", problemKeys)].map((key) => `draft.${key}`),
      ...under("revisions", revisionKeys),
      "rows",
      "source",
    ],
    dataUnder: ["rows"],
  },
  "preset.revision": {
    access: "org",
    input: (target) => ({ ...preset(target), revision: 1 }),
    namesIds: true,
    outputKeys: ["description", "name", "order", "rows", "source"],
    dataUnder: ["rows"],
  },
  "preset.diff": {
    access: "org",
    input: (target) => ({ ...preset(target), from: 1, to: 2 }),
    namesIds: true,
    outputKeys: [...under("display", ["field", "from", "to"]), ...under("rows", diffKeys)],
  },
  "preset.sessions": {
    access: "org",
    input: (target) => ({ ...preset(target), revision: 2 }),
    namesIds: true,
    outputKeys: [...under("items", ["id", "lastActivityAt", "status", "title"]), "nextCursor"],
  },
  "preset.hints": {
    access: "org",
    input: ({ org }) => ({ org }),
    namesIds: false,
    outputKeys: [
      ...under("facts", ["name", "type"]),
      "group",
      "operators",
      "operators.condition",
      "operators.value",
      ...under("plugins", pluginKeys),
      "rowFields",
      "services",
    ],
    dataUnder: ["plugins.*.config"],
  },
  "preset.check": {
    access: "org",
    input: (target) => ({ ...preset(target), source: "- id: shell\n  name: tool-bash\n" }),
    namesIds: true,
    outputKeys: [...under("diff", diffKeys), "problems", "rows"],
    dataUnder: ["rows"],
    isDryRun: true,
  },
  "preset.create": {
    access: "org",
    input: ({ org }) => ({ org, slug: `p-${randomUUID().slice(0, 8)}`, name: "New" }),
    namesIds: false,
    outputKeys: ["slug"],
  },
  "preset.save": {
    access: "org",
    input: (target) => ({ ...preset(target), name: "Mine", description: "", order: 1, source, expectedRevision: 2 }),
    namesIds: true,
    outputKeys: ["problems", "revision", "saved"],
  },
  "preset.discardDraft": {
    access: "org",
    input: (target) => ({ ...preset(target), expectedDraft: draftAt }),
    namesIds: true,
    outputKeys: ["slug"],
  },
  "preset.rollBack": {
    access: "org",
    input: (target) => ({ ...preset(target), revision: 1, expectedRevision: 2 }),
    namesIds: true,
    outputKeys: ["revision"],
  },
  "preset.setDefault": { access: "org", input: preset, namesIds: true, outputKeys: ["slug"] },
  "preset.remove": { access: "org", input: preset, namesIds: true, outputKeys: ["slug"] },
  "session.selectPreset": {
    access: "org",
    input: ({ org, sessionId, presetSlug }) => ({ org, sessionId, preset: presetSlug, clientKey: randomUUID() }),
    namesIds: true,
    outputKeys: ["commandId"],
  },
  "settings.list": {
    access: "org",
    input: ({ org, workspaceId }) => ({ org, workspaceId }),
    namesIds: true,
    outputKeys: [
      ...["applies", "description", "effective", "name", "schema", "title"].map((key) => `*.${key}`),
      ...under("*.sections", sectionKeys),
    ],
    dataUnder: ["*.schema", "*.effective", "*.sections.*.values"],
  },
  "settings.update": {
    access: "org",
    input: (target) => ({ ...section(target), values: { default: "minimal" } }),
    namesIds: true,
    outputKeys: ["revision"],
  },
  "settings.replace": {
    access: "org",
    input: (target) => ({ ...section(target), values: { default: "minimal" } }),
    namesIds: true,
    outputKeys: ["revision"],
  },
  "settings.set": {
    access: "org",
    input: (target) => ({ ...section(target), path: "default", value: "minimal" }),
    namesIds: true,
    outputKeys: ["revision"],
  },
  "settings.unset": {
    access: "org",
    input: (target) => ({ ...section(target), path: "default" }),
    namesIds: true,
    outputKeys: ["revision"],
  },
};
