import { type Composition, composeStored, type Issue, type WarningCode } from "@gantry/compose";
import { type CompositionState, emptySource, type LayerText } from "./composition-state.ts";
import { locateProblems } from "./locate-problems.ts";

export type UpTo = "bundle" | "plan" | "org";
/** `problems`: why it must not be mounted, those of an unreadable layer included; places are lines of the org's text. */
export type Composed = { readonly composition: Composition; readonly problems: readonly Issue[] };

/**
 * The composition of a state, from the composer that mounts and dumps (D-1). A layer that cannot be read is left out and told as a problem, so there is
 * always something to show. `upTo` leaves out the layers after it, unread (D-6).
 */
export function composeState(state: CompositionState, { org = state.org, upTo = "org" as UpTo } = {}): Composed {
  const key = JSON.stringify([upTo, org]);
  const made = composed.get(state) ?? new Map<string, Composed>();
  composed.set(state, made);
  const known = made.get(key) ?? compose(state, org, upTo);
  made.set(key, known);
  return known;
}

/** Composing is pure and takes its time, and one request asks several times. Lives as long as the request's state, so no organisation meets another's. */
const composed = new WeakMap<CompositionState, Map<string, Composed>>();

function compose(state: CompositionState, org: LayerText, upTo: UpTo): Composed {
  // without the org's own text its bundles stay: they are layers below it
  const own = upTo === "org" ? org : { ...org, source: emptySource };
  const { composition, unread } = composeStored({
    profile: state.profile,
    providers: state.providers,
    layers: [
      { ...state.plan, kind: "plan" },
      { ...own, kind: "org" },
    ],
    facts: state.facts,
    upTo: upTo === "bundle" ? "bundle" : "org",
  });
  const isRead = !unread.some(({ kind }) => kind === "org");
  const problems = [...unread.flatMap(({ issues }) => issues), ...locateProblems(composition, isRead ? own.source : emptySource)];
  return { composition, problems };
}

/** Why this text may not be stored: what cannot be read, and what the composer left out where that is the text's own mistake. */
function ownMistakes(composed: Composed, own: LayerText): Issue[] {
  return leftOut(composed, own, (code) => refused.has(code));
}

export type LayerWarning = Omit<Issue, "code" | "cause">;

/** What the composer leaves out of this text without refusing it, with lines: it may be stored, and its writer should know. */
export function ownWarnings(state: CompositionState, own: LayerText): LayerWarning[] {
  return leftOut(composeState(state, { org: own }), own, (code) => !refused.has(code)).map(({ code: _code, ...warning }) => warning);
}

function leftOut({ composition }: Composed, { label, source }: LayerText, isMeant: (code: WarningCode) => boolean): Issue[] {
  const left = composition.warnings.filter((warning) => warning.layer === label && isMeant(warning.code));
  return locateProblems(
    { ...composition, problems: left.map(({ code, patch, message }) => ({ code: code as Issue["code"], path: `$[${patch}]`, message })) },
    source,
  );
}

/** What `next` is not allowed to bring: every mistake and problem that is there with it and not with `before`. */
export function newProblems(state: CompositionState, next: LayerText, before: LayerText): Issue[] {
  const all = (org: LayerText): Issue[] => {
    const composed = composeState(state, { org });
    return [...ownMistakes(composed, org), ...composed.problems];
  };
  // some messages name the layer that is to blame: under one label the same failure has the same words
  const known = new Set(all({ ...before, label: next.label }).map(keyOf));
  return all(next).filter((issue) => !known.has(keyOf(issue)));
}

const refused: ReadonlySet<string> = new Set(["ROW_DUPLICATE", "ROW_LOCKED"]);
/** A bundle's place in the list is not part of what is wrong with it; its name is in the message. */
const keyOf = ({ code, path, message }: Issue): string => JSON.stringify([code, path.startsWith("$") ? path : "", message]);
