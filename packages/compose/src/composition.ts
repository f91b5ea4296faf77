import type { JsonObject } from "@gantry/contracts";
import type { Clamp } from "./clamp.ts";
import type { Issue } from "./input/issue.ts";
import type { Scalar } from "./json.ts";
import type { Warning } from "./layers/warning.ts";
import type { Row } from "./rows/row.ts";

/** What becomes of a row: it mounts with this config, is switched off, or has no code in this release. */
export type Outcome =
  | { readonly state: "mounts"; readonly config?: JsonObject; readonly clamps: readonly Clamp[] }
  | { readonly state: "disabled" }
  | { readonly state: "planned" };

export type ComposedRow = {
  /** as its layers wrote it, conditions included */
  readonly row: Row;
  readonly origin: string;
  readonly patchedBy: readonly string[];
  /** the layer that wrote each field last */
  readonly fields: Readonly<Record<string, string>>;
  readonly outcome: Outcome;
  readonly children?: readonly ComposedRow[];
};

/** A row as the kernel mounts it: conditions decided, config final. */
export type MountRow = {
  readonly id: string;
  readonly name: string;
  readonly config?: JsonObject;
  readonly children?: readonly MountRow[];
  readonly isolate?: Readonly<Record<string, true | string>>;
  readonly inject?: readonly string[];
};

export type Composition = {
  readonly profile: string;
  /** identifies the org root's generation */
  readonly hash: string;
  readonly catalogVersion: string;
  /** the facts that the rows ask for */
  readonly facts: Readonly<Record<string, Scalar>>;
  readonly rows: readonly ComposedRow[];
  /** what to mount, in order; the dump prints where each of these came from */
  readonly mounts: readonly MountRow[];
  readonly warnings: readonly Warning[];
  /** reasons why it must not be mounted; the last one without any stays in force */
  readonly problems: readonly Issue[];
};
