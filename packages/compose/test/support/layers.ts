import {
  type Catalog,
  type CatalogEntry,
  type Composition,
  compose,
  type Facts,
  type Layer,
  type LayerKind,
  makeCatalog,
  readLayer,
} from "../../src/index.ts";

export const entry = (name: string, more: Partial<CatalogEntry> = {}): CatalogEntry => ({
  name,
  package: "test",
  version: "1",
  description: "for tests",
  provides: [],
  requires: [],
  config: { type: "object" },
  planes: ["host"],
  trust: "platform",
  many: true,
  ...more,
});

/** A small world of plugins; `audit` is locked, `shell` has limits. */
export const catalog: Catalog = makeCatalog([
  entry("loop"),
  entry("persona"),
  entry("shell-sandboxed", { provides: ["shell"] }),
  entry("shell-local", {
    provides: ["shell"],
    limits: [
      { field: "timeoutMs", min: 100, max: 1000 },
      { field: "mode", allowed: ["ask", "never"] },
      { field: "net.open", allowed: [false], when: { $ne: [{ $fact: "platform.privateHosts" }, true] } },
    ],
  }),
  entry("audit", { locked: true }),
  entry("only-preset", { planes: ["preset"] }),
  entry("pro", { entitled: { $eq: [{ $fact: "plan.tier" }, "pro"] } }),
  entry("later", { planned: true }),
  entry("strict", {
    config: {
      type: "object",
      properties: { size: { type: "integer" }, key: { type: "object" } },
      required: ["size"],
      additionalProperties: false,
    },
    secrets: ["key"],
  }),
]);

export const layer = (label: string, patches: unknown, kind: LayerKind = "org"): Layer => readLayer(label, kind, { data: patches });

export function composed(layers: readonly Layer[], facts: Facts = {}): Composition {
  return compose({ profile: "web", layers, catalog, facts });
}

export const base = layer(
  "base@1",
  [
    {
      insert: [
        { id: "loop", name: "loop" },
        { id: "shell", name: "shell-sandboxed", config: { timeoutMs: 500 } },
        { id: "persona", name: "persona", config: { prefix: "You are an agent.", tone: "plain" } },
        { id: "audit", name: "audit" },
        { id: "tools", name: "cordis:group", group: true, config: [{ id: "one", name: "loop" }] },
      ],
    },
  ],
  "bundle",
);

export const codes = ({ warnings }: Composition) => warnings.map(({ code }) => code);
export const mounted = ({ mounts }: Composition) => mounts.map(({ id }) => id);
export const rowOf = (composition: Composition, id: string) => composition.rows.find(({ row }) => row.id === id);
