import { isEvent, type Message, type SessionEvent } from "@gantry/contracts";

/** What is known of the zone that the people of a turn write from (TIM-2). It is told to the model and is nobody's default. */
export type ZoneState = { kind: "resolved"; zone: string } | { kind: "mixed" } | { kind: "unavailable" };

/** The zones of the open turn's messages; reads each event once. */
export class TurnZones {
  private zones = new Set<string>();
  private readUpTo = 0;

  /** @param entering messages that are about to enter and are not in the log yet */
  read(events: readonly SessionEvent[], entering: readonly Message[]): ZoneState {
    for (const event of events.slice(this.readUpTo)) {
      if (isEvent(event, "turn/start")) this.zones = new Set();
      else if (isEvent(event, "user/message")) this.add(event.data);
    }
    this.readUpTo = events.length;
    for (const message of entering) this.add(message);
    const [zone, ...others] = this.zones;
    if (zone === undefined) return { kind: "unavailable" };
    return others.length > 0 ? { kind: "mixed" } : { kind: "resolved", zone };
  }

  private add({ source }: Message): void {
    if (source.kind === "user" && source.timeZone !== undefined) this.zones.add(source.timeZone);
  }
}
