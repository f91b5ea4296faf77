import type { JsonObject } from "@gantry/contracts";
import type { Condition } from "../conditions/vocabulary.ts";

/** The name of the row that holds other rows. */
export const groupName = "cordis:group";
export const idPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** One plugin of a composition (8.1). `name` is resolved through the catalogue only; `id` is unique in the whole composition. */
export type Row = {
  readonly id: string;
  readonly name: string;
  /** of a group: its rows */
  readonly config?: JsonObject | readonly Row[];
  readonly disabled?: Condition;
  readonly group?: true;
  /** service → `true` for a realm of its own, or the label of a realm that rows share */
  readonly isolate?: Readonly<Record<string, true | string>>;
  /** services that must be there besides those the plugin asks for */
  readonly inject?: readonly string[];
};

/** Adds rows at the top level, or to the group `id`. */
export type Insertion = { readonly insert: readonly Row[]; readonly id?: string };
/** Replaces fields of one row as a whole; `name` asserts which plugin the row has (8.2). */
export type Change = { readonly id?: string; readonly name?: string } & Partial<Omit<Row, "id" | "name" | "config">> & {
    readonly config?: JsonObject | readonly Row[];
  };
export type Patch = Insertion | Change;

export const changeFields = ["config", "disabled", "group", "isolate", "inject"] as const;
export type ChangeField = (typeof changeFields)[number];

export const isGroup = (row: { name: string; group?: true }): boolean => row.name === groupName && row.group === true;
export const childrenOf = (row: Row): readonly Row[] => (isGroup(row) && Array.isArray(row.config) ? (row.config as readonly Row[]) : []);
