/** Text that a column takes: Postgres holds neither NUL nor half of a surrogate pair. */
export function storable(text: string | null | undefined): string | null {
  return text?.toWellFormed().replaceAll("\0", "\ufffd") ?? null;
}
