import { type ComposedRow, type Condition, evaluate, type OptionalBundle, optionalBundles, profileLayers } from "@gantry/compose";
import { composeState } from "../composition/compose-state.ts";
import type { CompositionState } from "../composition/composition-state.ts";

/** A bundle as the plugin manager lists it (`listBundles`). */
export type BundleView = {
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly isOn: boolean;
  /** the plan includes it */
  readonly isEntitled: boolean;
  /** false: the profile brings it, it cannot be taken off */
  readonly isOptional: boolean;
  /** ids of rows that it brings, or would bring */
  readonly rows: readonly string[];
  /** ids of rows of others that it changes, or would change when enabled now: it would come last */
  readonly overrides: readonly string[];
};

/** Those of the profile, then the optional ones: what is selected in its order, then the rest. */
export function bundleViews(state: CompositionState): BundleView[] {
  const order = (name: string) => (selected(state).includes(name) ? selected(state).indexOf(name) : selected(state).length);
  const optional = optionalBundles.map((bundle) => optionalView(state, bundle)).sort((a, b) => order(a.name) - order(b.name));
  return [...profileLayers(state.profile).map(({ label }) => ownView(state, label)), ...optional];
}

/** What is selected, by the plan first. */
export const selected = ({ plan, org }: CompositionState): string[] => [...new Set([...plan.bundles, ...org.bundles])];

export const findBundle = (name: string): OptionalBundle | undefined => optionalBundles.find((bundle) => bundle.name === name);
export const isEntitled = ({ facts, profile }: CompositionState, { entitled }: { readonly entitled?: Condition }): boolean =>
  entitled === undefined || evaluate(entitled, { ...facts, "profile.name": profile });

function optionalView(state: CompositionState, bundle: OptionalBundle): BundleView {
  const { name, version, title, description } = bundle;
  const isOn = selected(state).includes(name);
  const org = isOn ? state.org : { ...state.org, bundles: [...state.org.bundles, name] };
  const written = writtenBy(`${name}@${version}`, composeState(state, { org, upTo: "plan" }).composition.rows);
  return { name, version, title, description, isOn, isEntitled: isEntitled(state, bundle), isOptional: true, ...written };
}

function ownView(state: CompositionState, label: string): BundleView {
  const [name = label, version] = label.split("@");
  const written = writtenBy(label, composeState(state, { upTo: "bundle" }).composition.rows);
  const text = { title: name, description: "Part of the profile." };
  return { name, version: Number(version), ...text, isOn: true, isEntitled: true, isOptional: false, ...written };
}

function writtenBy(label: string, rows: readonly ComposedRow[]): Pick<BundleView, "rows" | "overrides"> {
  const all = allRows(rows);
  const ids = (of: (row: ComposedRow) => boolean) => all.filter(of).map(({ row }) => row.id);
  return { rows: ids(({ origin }) => origin === label), overrides: ids(({ patchedBy }) => patchedBy.includes(label)) };
}

/** Rows and those inside groups, in order. */
export const allRows = (rows: readonly ComposedRow[]): ComposedRow[] => rows.flatMap((one) => [one, ...allRows(one.children ?? [])]);
