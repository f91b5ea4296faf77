import type { EventDraft, EventType } from "@gantry/contracts";

/** Gives an event as it may be stored, shown and sent to a model; the same object when there is nothing to cut out. */
export type Redact = (event: EventDraft) => EventDraft;

export const redacted = "[a key of this installation was here]";

/** A model can say only what it was shown, and its streamed runs have offsets that must hold. */
const ownWords: ReadonlySet<EventType> = new Set(["assistant/chunk", "assistant/message", "tool/call"]);

/**
 * Cuts `secrets` out of all that enters a log from a sandbox or a person: as they are, in base64 and in hex, and as addresses write them (CP-35). What somebody takes apart on purpose
 * gets through. The set is read at each event, so that it may grow.
 */
export function secretRedactor(secrets: ReadonlySet<string>): Redact {
  let known = -1;
  let forms: readonly string[] = [];
  return (event) => {
    if (known !== secrets.size) {
      known = secrets.size;
      forms = [...secrets].filter(isTelling).flatMap(formsOf);
    }
    return forms.length === 0 || ownWords.has(event.type) ? event : (without(event, forms) as EventDraft);
  };
}

/** A word that a person entered because something had to be there, such as "not-needed", is in ordinary text too. */
const isTelling = (secret: string): boolean => secret.length >= 16 && /\d/.test(secret) && /[a-z]/i.test(secret);

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // in base64 the text depends on where a group of three bytes begins; the characters that share bits with neighbours are left out
  const encoded = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const whole = padded.length - (padded.length % 3);
    return padded
      .subarray(0, whole)
      .toString("base64")
      .slice(before === 0 ? 0 : before + 1);
  });
  const inUrls = encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = bytes.toString("hex");
  return [...new Set([secret, encodeURIComponent(secret.toWellFormed()), ...encoded, ...inUrls, hex, hex.toUpperCase()])];
}

function without(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === "string") return forms.reduce((text, form) => (text.includes(form) ? text.replaceAll(form, redacted) : text), value);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, part, without(part, forms)] as const);
  if (parts.every(([, before, after]) => before === after)) return value;
  const changed = Array.isArray(value)
    ? parts.map(([, , after]) => after)
    : Object.fromEntries(parts.map(([key, , after]) => [key, after]));
  return Object.freeze(changed);
}
