import { type Document, isMap, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";

/** The text of a layer that passed the gate, for changes that leave the rest of it, comments included, as it was written. */
export class LayerDocument {
  private readonly document: Document;
  private readonly list: YAMLSeq;
  private readonly isJson: boolean;
  private readonly lineEnd: string;

  constructor(given: string) {
    // the parser keeps comments before "\n" only, and would write every line end as one
    const source = given.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
    this.lineEnd = given.includes("\r\n") ? "\r\n" : "\n";
    this.document = parseDocument(source, { schema: "core" });
    this.list = this.document.contents as YAMLSeq;
    this.isJson = this.list.flow === true && isJson(source) && this.list.items.length > 0;
    // an empty list is written in brackets, and what is added to it would stand in them
    if (this.list.items.length === 0) this.list.flow = false;
  }

  append(patch: Readonly<Record<string, unknown>>): void {
    this.list.items.push(this.document.createNode(patch));
  }

  set(index: number, field: string, value: unknown): void {
    this.patch(index).set(field, value);
  }

  /** Whether somebody wrote a comment at a field; it would go with the field. */
  hasNote(index: number, field: string): boolean {
    const pair = this.patch(index).items.find(({ key }) => String(key) === field);
    return pair !== undefined && [pair.key, pair.value].some(isNoted);
  }

  /** Takes a field out; a patch that then changes nothing goes with it, unless somebody wrote a comment there. */
  remove(index: number, field: string): void {
    const patch = this.patch(index);
    patch.delete(field);
    const isIdle = patch.items.every(({ key }) => ["id", "name"].includes(String(key)));
    if (isIdle && !hasComment(patch)) this.list.items.splice(index, 1);
  }

  text(): string {
    if (this.list.items.length === 0) this.list.flow = true;
    const quoted = { defaultKeyType: "QUOTE_DOUBLE", defaultStringType: "QUOTE_DOUBLE" } as const;
    return this.document.toString({ lineWidth: 0, ...(this.isJson ? quoted : {}) }).replaceAll("\n", this.lineEnd);
  }

  private patch(index: number): YAMLMap {
    const patch = this.list.items[index];
    if (!isMap(patch)) throw new TypeError(`entry ${index} of the layer is no map`);
    return patch;
  }
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false; // YAML then, which the gate took
  }
}

function hasComment(patch: YAMLMap): boolean {
  return [patch, ...patch.items.flatMap(({ key, value }) => [key, value])].some(isNoted);
}

function isNoted(node: unknown): boolean {
  const { comment, commentBefore } = (node ?? {}) as { comment?: string | null; commentBefore?: string | null };
  return Boolean(comment) || Boolean(commentBefore);
}
