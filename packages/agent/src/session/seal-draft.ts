import { type EventDraft, eventData, maxJsonDepth, parsePayload, SurfaceOp, toLosslessJson } from "@gantry/contracts";

const members: readonly string[] = ["type", "data", "ignorable", "surfaceOp", "sourceEventSeqs"];
/** What a tool or a provider gave was as deep as a value may be, and lies a few levels down in its event. */
const maxDepth = maxJsonDepth + 20;

/**
 * A draft as the log keeps it: a detached, deep-frozen copy with the members of an event and no others, whose payload fits its type, so that what
 * was appended can be read again (SES-4 to SES-7), and reads the same then: what the type does not name is left out now, as it is by every reader
 * (AG-175). Position and time are the log's to give (SES-3); a type that is not registered is refused, for who cannot read it would have to be told that
 * it may be skipped (SES-5).
 * @throws TypeError saying what is wrong
 */
export function sealDraft(draft: EventDraft): EventDraft {
  const sealed = toLosslessJson(draft, maxDepth) as EventDraft | null;
  if (typeof sealed !== "object" || sealed === null || Array.isArray(sealed)) throw new TypeError("an event is an object");
  const problem = problemOf(sealed);
  if (problem) throw new TypeError(`${sealed.type}: ${problem}`);
  const data = payloadOf(sealed);
  if (data === sealed.data) return sealed;
  const event = { ...sealed, data } as EventDraft;
  freezeDeep(event);
  return event;
}

function payloadOf({ type, data }: EventDraft): unknown {
  try {
    return parsePayload(type, data);
  } catch (error) {
    const [issue] = (error as { issues: readonly { path: readonly unknown[]; message: string }[] }).issues;
    throw new TypeError(`${type}: the payload does not fit at "${issue?.path.join(".")}": ${issue?.message}`);
  }
}

/** Freezes a value of plain objects and lists; what is frozen already is frozen through and through. */
export function freezeDeep(value: object): void {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null && !Object.isFrozen(part)) freezeDeep(part);
  Object.freeze(value);
}

function problemOf(event: EventDraft): string | null {
  const extra = Object.keys(event).find((key) => !members.includes(key));
  if (extra !== undefined) return `an event has no member "${extra}"`;
  if (!Object.hasOwn(eventData, event.type)) return "the type is not registered";
  if (event.ignorable !== undefined && event.ignorable !== true) return "ignorable is true or absent";
  if (event.surfaceOp !== undefined && !SurfaceOp.safeParse(event.surfaceOp).success) return "surfaceOp is append or replaces a range";
  return null;
}
