import type { CallCard, Json, ResultCard } from "@gantry/contracts";
import type { PresentedResult } from "./types.ts";

type Asked = { readonly id: string; readonly question: string };

/** The questions to people as the line and the body of the call (UIP-1). Null for arguments that ask nothing. */
export function presentAskCall(args: Json): CallCard | null {
  const asked = askedIn(args);
  const [first] = asked;
  if (!first) return null;
  const title = asked.length === 1 ? `Ask ${first.question}` : `Ask ${asked.length} questions`;
  return { card: "generic", title, kind: "other", content: asked.map(({ question }) => question).join("\n") };
}

/** What was answered, each under its question. Null for a text that holds no answers, such as that nobody answered. */
export function presentAskResult(args: Json, { text, isError }: PresentedResult): ResultCard | null {
  const answers = isError ? [] : answersIn(text);
  if (answers.length === 0) return null;
  const questions = new Map(askedIn(args).map(({ id, question }) => [id, question]));
  const lines = answers.map(({ id, said }) => `${questions.get(id) ?? id}\n  ${said.length > 0 ? said.join(", ") : "–"}`);
  return { card: "generic", text: lines.join("\n"), format: "plain" };
}

function askedIn(args: Json): Asked[] {
  return listIn(args, "questions").flatMap((one) => {
    const { id, question } = one;
    return typeof id === "string" && typeof question === "string" ? [{ id, question }] : [];
  });
}

function answersIn(text: string): { id: string; said: string[] }[] {
  try {
    return listIn(JSON.parse(text) as Json, "answers").flatMap(({ id, selected, custom }) => {
      if (typeof id !== "string") return [];
      const chosen = Array.isArray(selected) ? selected.filter((label) => typeof label === "string") : [];
      return [{ id, said: typeof custom === "string" ? [...chosen, custom] : chosen }];
    });
  } catch {
    return []; // not the answers themselves
  }
}

function listIn(value: Json, key: string): Readonly<Record<string, Json>>[] {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? (list as readonly Json[]).filter(isObject) : [];
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
