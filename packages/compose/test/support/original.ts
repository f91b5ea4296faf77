import { readFileSync } from "node:fs";
import { parse, type ScalarTag } from "yaml";
import type { Row } from "../../src/index.ts";

/** Code in the original's configuration: kept as text, for what it would say is not ours to run. */
const js: ScalarTag = { tag: "tag:yaml.org,2002:js", resolve: (text) => `!!js ${text}` };

type OriginalRow = Omit<Row, "config"> & { readonly config?: { readonly id?: string; readonly plugins?: readonly Row[] } };

/** The dump of the original's web profile, top-level rows. */
export const originalRows = parse(readFileSync(new URL("../fixtures/profile-web.dump.yml", import.meta.url), "utf8"), {
  customTags: [js],
}) as readonly OriginalRow[];

/** Its presets, by id. */
export const originalPresets: Readonly<Record<string, readonly Row[]>> = Object.fromEntries(
  originalRows.flatMap(({ config }) => (config?.id !== undefined && config.plugins ? [[config.id, config.plugins]] : [])),
);
