import type { ZoneState } from "./turn-zones.ts";

export type Reading = { readonly now: number; readonly zone: ZoneState; readonly elapsedMs: number | null };

const hostZone = "UTC";

/** The reading as the model is told it. */
export function describeReading({ now, zone, elapsedMs }: Reading): string {
  const since =
    elapsedMs === null ? "The time since the previous message is unknown." : `${duration(elapsedMs)} since the previous message.`;
  return `It is ${stamp(now, zone.kind === "resolved" ? zone.zone : hostZone)}. ${zoneText(zone)} ${since}`;
}

function zoneText(zone: ZoneState): string {
  if (zone.kind === "resolved") return "People here write from that zone: a time without a zone is meant there.";
  if (zone.kind === "mixed") return "People of several time zones write here: ask which one a time without a zone is meant in.";
  return "The time zone of the people is not known: ask for it where a time without a zone matters.";
}

/** ISO with offset, and the zone's name: `2026-11-30T22:05:12+01:00 (Europe/Berlin)`. */
function stamp(now: number, timeZone: string): string {
  const options = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
  const format = new Intl.DateTimeFormat("en-GB", { ...options, hourCycle: "h23", timeZone, timeZoneName: "longOffset" });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const offset = parts.timeZoneName?.replace(/^GMT/, "") || "+00:00";
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}${offset} (${timeZone})`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
