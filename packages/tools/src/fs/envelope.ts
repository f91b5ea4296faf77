/** The frame around what a file tool tells the model about one path (tools §9.1). */
export function fileEnvelope(path: string, body: string): string {
  return `<path>${path}</path>\n<type>file</type>\n<content>\n${body}\n</content>`;
}
