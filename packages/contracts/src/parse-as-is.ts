import type { z } from "zod";

type Test = (value: unknown) => boolean;
type Check = {
  readonly check: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
};
/** What zod keeps of a schema, as far as it is looked at here. */
type Def = {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly format?: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
  readonly valueType?: z.ZodType;
  readonly fn?: Test;
};

/**
 * `schema.parse` for values that mostly are what the schema gives for them, member by member in its order: those are handed back as they are, and nothing is made
 * anew. All others take the schema's own way. For values out of JSON, as the members of a class or accessors would pass. @throws ZodError
 */
export function parsingAsIs<T>(schema: z.ZodType<T>): (value: unknown) => T {
  const isSame = sameAfter(schema);
  return (value) => (isSame(value) ? (value as T) : schema.parse(value));
}

/** Tells of a value that parsing it would give the same again; false where that is not certain. */
function sameAfter(schema: z.ZodType): Test {
  const def = schema._zod.def as unknown as Def;
  const checks = (def.checks ?? []).map(({ _zod }) => _zod.def);
  const isPlain = checks.length === 0;
  switch (def.type) {
    case "string":
      return def.format === undefined ? sameText(schema, checks) : parsedTo(schema);
    case "number":
      return sameNumber(schema, checks);
    case "literal":
    case "enum":
      return sameWord(schema._zod.values ?? new Set());
    case "unknown":
      return () => true;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "object":
      return isPlain ? sameObject(schema) : parsedTo(schema);
    case "array":
      return isPlain && def.element ? everyItem(sameAfter(def.element)) : parsedTo(schema);
    case "optional":
      return def.innerType ? sameAfter(def.innerType) : never;
    case "nullable":
      return def.innerType ? orNull(sameAfter(def.innerType)) : never;
    case "union":
      return def.discriminator ? sameOfKind(def.discriminator, def.options ?? []) : sameOfFirst(def.options ?? []);
    case "record":
      return def.valueType ? everyMember(sameAfter(def.valueType)) : never;
    case "custom":
      return isPlain && def.fn ? def.fn : parsedTo(schema);
    default:
      return parsedTo(schema);
  }
}

const never: Test = () => false;

/** For other values without parts. */
function parsedTo(schema: z.ZodType): Test {
  return (value) => {
    if (typeof value === "object" && value !== null) return false;
    const parsed = schema.safeParse(value);
    return parsed.success && Object.is(parsed.data, value);
  };
}

function sameText(schema: z.ZodType, checks: readonly Check[]): Test {
  if (checks.length === 0) return (value) => typeof value === "string";
  const [{ check, minimum = 0 } = {} as Check, ...others] = checks;
  if (check !== "min_length" || others.length > 0) return parsedTo(schema);
  return (value) => typeof value === "string" && value.length >= minimum;
}

/** Mostly whole numbers with a lower bound. */
function sameNumber(schema: z.ZodType, checks: readonly Check[]): Test {
  if (checks.length === 0) return (value) => Number.isFinite(value);
  const [{ format } = {} as Check, bound, ...others] = checks;
  if (format !== "safeint" || bound?.check !== "greater_than" || others.length > 0) return parsedTo(schema);
  const { value: least = 0, inclusive = false } = bound;
  return (value) => Number.isSafeInteger(value) && ((value as number) > least || (inclusive && value === least));
}

const sameWord =
  (words: ReadonlySet<unknown>): Test =>
  (value) =>
    words.has(value);

/** Members in the schema's order and no others: that is how zod writes them. */
function sameObject(schema: z.ZodType): Test {
  const members = Object.entries((schema._zod.def as unknown as Def).shape ?? {}).map(([key, part]) => ({
    key,
    isSame: sameAfter(part),
    isOptional: part._zod.optin === "optional",
  }));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    let at = 0;
    for (const key in value) {
      while (members[at]?.key !== key) if (!members[at++]?.isOptional) return false;
      if (!members[at++]?.isSame((value as Record<string, unknown>)[key])) return false;
    }
    while (at < members.length) if (!members[at++]?.isOptional) return false;
    return true;
  };
}

const everyItem =
  (isSame: Test): Test =>
  (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!isSame(item)) return false;
    return true;
  };

const everyMember =
  (isSame: Test): Test =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    for (const key in value) if (key === "__proto__" || !isSame((value as Record<string, unknown>)[key])) return false;
    return true;
  };

const orNull =
  (isSame: Test): Test =>
  (value) =>
    value === null || isSame(value);

/** Of several schemas the first that takes a value decides what becomes of it. */
function sameOfFirst(options: readonly z.ZodType[]): Test {
  const tests = options.map((option) => ({ option, isSame: sameAfter(option) }));
  return (value) => {
    const decides = tests.find(({ option, isSame }) => isSame(value) || option.safeParse(value).success);
    return decides?.isSame(value) ?? false;
  };
}

/** Of several kinds of objects, told apart by one member. */
function sameOfKind(discriminator: string, options: readonly z.ZodType[]): Test {
  const kinds = new Map<unknown, Test>();
  for (const option of options) {
    const named = (option._zod.def as unknown as Def).shape?.[discriminator]?._zod.values ?? [];
    for (const value of named) kinds.set(value, sameAfter(option));
  }
  return (value) => {
    if (typeof value !== "object" || value === null) return false;
    const isSame = kinds.get((value as Record<string, unknown>)[discriminator]);
    return isSame?.(value) ?? false;
  };
}
