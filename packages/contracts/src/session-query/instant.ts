/** A moment as a person wrote it: whole milliseconds since the epoch, and the digits below a millisecond without trailing zeros. */
export type Instant = { readonly ms: number; readonly below: string };

const form = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,30}))?([Zz]|[+-]\d\d:\d\d)$/;

/** Null unless it is an ISO date and time with `Z` or an offset: a bound without one would mean another moment on every machine (QRY-7). */
export function parseInstant(text: string): Instant | null {
  const [, toSecond, fraction = "", zone] = form.exec(text) ?? [];
  if (toSecond === undefined || zone === undefined) return null;
  const second = Date.parse(`${toSecond.toUpperCase()}${zone.toUpperCase()}`);
  if (Number.isNaN(second) || isRolledOver(toSecond)) return null;
  return { ms: second + Number(fraction.padEnd(3, "0").slice(0, 3)), below: fraction.slice(3).replace(/0+$/, "") };
}

/** Engines take the 31st of February for a day in March. */
function isRolledOver(toSecond: string): boolean {
  const day = toSecond.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day;
}

/** Negative, zero or positive, exact below a millisecond too. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.ms !== b.ms) return a.ms - b.ms;
  const digits = Math.max(a.below.length, b.below.length);
  const [left, right] = [a.below.padEnd(digits, "0"), b.below.padEnd(digits, "0")];
  return left < right ? -1 : Number(left > right);
}

/** The first whole millisecond that is not before the instant: an inclusive lower bound for times that are whole milliseconds. */
export const firstMs = ({ ms, below }: Instant): number => (below === "" ? ms : ms + 1);
/** The last whole millisecond that is not after it. */
export const lastMs = ({ ms }: Instant): number => ms;
