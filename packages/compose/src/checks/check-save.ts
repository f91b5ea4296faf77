import { type ComposeInput, compose } from "../compose.ts";
import { type Issue, indexPath } from "../input/issue.ts";
import type { Layer } from "../layers/layer.ts";

/**
 * Why a layer may not be stored over the others: what composing would only warn about where it is this layer's own mistake (a taken id R-2, a locked
 * row R-16), and every problem that the composition has with it and not without it.
 */
export function checkSave(layer: Layer, others: Omit<ComposeInput, "layers"> & { layers: readonly Layer[] }): Issue[] {
  const before = new Set(compose(others).problems.map(keyOf));
  const { warnings, problems } = compose({ ...others, layers: [...others.layers, layer] });
  const own = warnings.flatMap(({ code, layer: label, patch, message }): Issue[] =>
    label === layer.label && (code === "ROW_DUPLICATE" || code === "ROW_LOCKED") ? [{ code, path: indexPath("$", patch), message }] : [],
  );
  return [...own, ...problems.filter((problem) => !before.has(keyOf(problem)))];
}

const keyOf = ({ code, path, message }: Issue): string => JSON.stringify([code, path, message]);
