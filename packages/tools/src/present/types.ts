import type { Json } from "@gantry/contracts";

/** A settled call as a presenter sees it: the final text, the persisted card data, and whether it failed. */
export type PresentedResult = { readonly text: string; readonly meta: Json | undefined; readonly isError: boolean };
