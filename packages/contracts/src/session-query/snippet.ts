/** How much is shown before the place that was found, and in all, in code points. */
const before = 40;
const length = 200;

/** The part of a text around the first thing that was looked for, on one line, cut between characters (QRY-2). */
export function snippetOf(text: string, query: string): string {
  const place = firstPlace(text.toLowerCase(), query.trim().toLowerCase());
  // a code point has at most two units: these slices hold more than is shown
  const lead = [...text.slice(Math.max(0, place - 2 * before), place).toWellFormed()].slice(-before).join("");
  const rest = [...text.slice(place, place + 2 * length)].slice(0, length - [...lead].length).join("");
  const [cutBefore, cutAfter] = [lead.length < place, place + rest.length < text.length];
  const shown = `${lead}${rest}`.toWellFormed().replace(/\s+/gu, " ").trim();
  return `${cutBefore ? "…" : ""}${shown}${cutAfter ? "…" : ""}`;
}

function firstPlace(text: string, query: string): number {
  const whole = text.indexOf(query);
  if (whole >= 0) return whole;
  const words = query.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
  const places = words.map((word) => text.indexOf(word)).filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : 0;
}
