/** The frame around what a file tool tells the model about one path (tools §9.1). */
export function fileEnvelope(path: string, body: string, type: "file" | "image" = "file"): string {
  return `<path>${path}</path>\n<type>${type}</type>\n<content>\n${body}\n</content>`;
}
