import type { Reply, ScriptRequest } from "./script.ts";

export type ParsedRequest = Pick<ScriptRequest, "model" | "system" | "messages" | "tools">;
export type Body = Readonly<Record<string, unknown>>;

/** One way of speaking: how a request is read and how a reply is cut into events. */
export type Wire = {
  readonly name: ScriptRequest["wire"];
  parse(body: Body): ParsedRequest;
  /** Event texts in order, without the end mark. */
  events(reply: Reply, context: { model: string; id: string }): string[];
  readonly endMark: string;
  wrapRaw(data: string): string;
  errorBody(message: string, type: string): object;
  errorEvent(message: string, type: string): string;
};

/** Cuts text into pieces of `size` UTF-16 units, one more where a character would be cut in half: no real server sends half of one. */
export function pieces(text: string, size: number): string[] {
  const out: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = /[\uD800-\uDBFF]/.test(text[at + size - 1] ?? "") ? at + size + 1 : at + size;
    out.push(text.slice(at, end));
    at = end;
  }
  return out;
}

export function argumentsText(value: object | string): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Text of content that may be a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part: { text?: unknown }) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
}

/** How many of a list of parts are images, by the types that the wires give them; nothing for none. */
export function imageCount(content: unknown): { images?: number } {
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  const images = parts.filter(({ type }) => type === "image" || type === "image_url" || type === "input_image").length;
  return images > 0 ? { images } : {};
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
