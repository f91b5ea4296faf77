/**
 * What became of a row of the original's web profile.
 * ours: works today · planned: has its place, no code yet · web, web-planned: part of the pages, there or to come · desktop-only: makes no sense in a browser ·
 * development-only: for work on Gantry itself · not-taken: left out, with the reason
 */
export type DispositionState = "ours" | "planned" | "web" | "web-planned" | "desktop-only" | "development-only" | "not-taken";

export type Disposition = {
  /** the original's row id */
  readonly id: string;
  readonly state: DispositionState;
  /** the place that does it here, or the reason */
  readonly where: string;
  /** the catalogue's plugins that take its place */
  readonly plugins?: readonly string[];
};

/** As the lists have it: rows with plugins leave `state` to the catalogue. */
export type Written = Omit<Disposition, "state"> & { readonly state?: DispositionState };
