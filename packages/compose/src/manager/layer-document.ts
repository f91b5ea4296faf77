import { type Document, isMap, isSeq, parseDocument, type YAMLMap, YAMLSeq } from "yaml";

/** The text of a layer that passed the gate, for changes that leave the rest of it, comments included, as it was written. */
export class LayerDocument {
  private readonly document: Document;
  private readonly list: YAMLSeq;

  constructor(source: string) {
    this.document = parseDocument(source, { schema: "core" });
    const { contents } = this.document;
    if (isSeq(contents) && contents.items.length > 0) this.list = contents;
    else {
      // an empty list is written [ ], and what is added to it would stand in the brackets
      this.list = new YAMLSeq();
      if (contents?.comment) this.list.comment = contents.comment;
      if (contents?.commentBefore) this.list.commentBefore = contents.commentBefore;
      this.document.contents = this.list as never;
    }
  }

  append(patch: Readonly<Record<string, unknown>>): void {
    this.list.items.push(this.document.createNode(patch));
  }

  set(index: number, field: string, value: unknown): void {
    this.patch(index).set(field, value);
  }

  /** Takes a field out; a patch that then changes nothing goes with it, unless somebody wrote a comment there. */
  remove(index: number, field: string): void {
    const patch = this.patch(index);
    patch.delete(field);
    const fields = patch.items.map(({ key }) => String(key));
    const isIdle = fields.every((name) => name === "id" || name === "name");
    if (isIdle && !hasComment(patch) && !(index === 0 && this.list.commentBefore)) this.list.items.splice(index, 1);
  }

  text(): string {
    if (this.list.items.length === 0) this.list.flow = true;
    return this.document.toString({ lineWidth: 0 });
  }

  private patch(index: number): YAMLMap {
    const patch = this.list.items[index];
    if (!isMap(patch)) throw new TypeError(`entry ${index} of the layer is no map`);
    return patch;
  }
}

function hasComment(node: YAMLMap): boolean {
  if (node.comment || node.commentBefore) return true;
  return node.items.some(({ key, value }) => [key, value].some((part) => commentOf(part)));
}

const commentOf = (node: unknown): boolean => {
  const { comment, commentBefore } = (node ?? {}) as { comment?: string; commentBefore?: string };
  return Boolean(comment || commentBefore);
};
