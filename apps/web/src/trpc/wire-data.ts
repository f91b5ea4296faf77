/**
 * What the browser reads of the API's answers and writes into its calls. The API speaks superjson, of which its answers use dates and `undefined`;
 * the library, which knows everything that there is, would be 4 kB of each page's first load.
 */
export const wireData = {
  /** Calls are plain JSON: what is `undefined` is left out. */
  serialize: (value: unknown): Wire => ({ json: value }),
  /** Takes the answer over and changes it in place. @throws Error for a kind of value that is not known here */
  deserialize({ json, meta }: Wire): unknown {
    const root = { json };
    if (meta?.values) revive(root, "json", meta.values);
    return root.json;
  },
};

type Wire = { json: unknown; meta?: { values?: Kinds } };
/** Where values are that JSON has no form for: here and below, or at paths from here. */
type Kinds = readonly [kind: string, below?: Paths] | Paths;
type Paths = { readonly [path: string]: Kinds };
type Holder = { [key: string]: unknown };

const kinds: { [kind: string]: (value: unknown) => unknown } = {
  Date: (value) => new Date(value as string),
  undefined: () => undefined,
};

function revive(holder: Holder, key: string, values: Kinds): void {
  const [kind, below] = isHere(values) ? values : [null, values];
  for (const [path, inner] of Object.entries(below ?? {})) {
    const keys = keysOf(path);
    const last = keys.pop() ?? "";
    const place = keys.reduce((at, step) => at[step] as Holder, holder[key] as Holder);
    revive(place, last, inner);
  }
  if (kind === null) return;
  const make = Object.hasOwn(kinds, kind) ? kinds[kind] : null;
  if (!make) throw new Error(`The answer has a ${kind}, which this page cannot read.`);
  holder[key] = make(holder[key]);
}

const isHere = (values: Kinds): values is readonly [string, Paths?] => Array.isArray(values);

/** The keys that a path joins with dots; a backslash takes the next character as it is. */
const keysOf = (path: string): string[] =>
  (`.${path}`.match(/\.(?:\\.|[^.\\])*/g) ?? []).map((part) => part.slice(1).replace(/\\(.)/g, "$1"));
