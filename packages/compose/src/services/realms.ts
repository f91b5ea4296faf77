import type { ComposedRow } from "../composition.ts";

/** A row that mounts, with the realm in which it meets each isolated service. */
export type PlacedRow = {
  readonly row: ComposedRow;
  /** ids from the outermost group to the row */
  readonly path: readonly string[];
  /** `inject` of the row and of the groups around it */
  readonly inject: readonly string[];
  /** whether it stands in a realm of any service */
  readonly isIsolated: boolean;
  /** the row or group that keeps it off by `disabled`, and the layer that said so; null when nothing does */
  readonly offBy: { readonly path: readonly string[]; readonly layer: string } | null;
  /** the realm of a service for this row; null is the realm outside */
  realmOf(service: string): string | null;
};

/** All rows below, groups included, with their realms (G-10): `true` is a realm of the row that says it, a label one realm per label. */
export function* placeRows(rows: readonly ComposedRow[], outer?: PlacedRow): Generator<PlacedRow> {
  for (const composed of rows) {
    const { id, isolate = {}, inject = [] } = composed.row;
    const path = [...(outer?.path ?? []), id];
    const placed: PlacedRow = {
      row: composed,
      path,
      inject: [...(outer?.inject ?? []), ...inject],
      isIsolated: outer?.isIsolated === true || Object.keys(isolate).length > 0,
      offBy: outer?.offBy ?? offBy(composed, path),
      realmOf: (service) => {
        const realm = Object.hasOwn(isolate, service) ? isolate[service] : undefined;
        if (realm === undefined) return outer?.realmOf(service) ?? null;
        return realm === true ? `row ${path.join(".")}` : `label ${realm}`;
      },
    };
    yield placed;
    yield* placeRows(composed.children ?? [], placed);
  }
}

function offBy({ row, outcome, fields, origin }: ComposedRow, path: readonly string[]): PlacedRow["offBy"] {
  return outcome.state === "disabled" && row.disabled !== undefined ? { path, layer: fields.disabled ?? origin } : null;
}
