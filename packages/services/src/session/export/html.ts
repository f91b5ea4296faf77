import type { TranscriptItem } from "./transcript.ts";
import type { TranscriptForm } from "./transcript-form.ts";

const style =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}" +
  "h2{border-top:1px solid;padding-top:1rem}details pre{border-left:3px solid;padding-left:1rem}.error summary{font-weight:bold}";

/** A transcript as a page that stands alone: no scripts, nothing loaded from anywhere, all text escaped. */
export const html: TranscriptForm = {
  begin: ({ title, createdAt }) =>
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<title>${escaped(title)}</title><style>${style}</style></head><body>\n<h1>${escaped(title)}</h1>\n<p>Session begun ${escaped(createdAt)}.</p>\n`,
  item,
  end: () => "</body></html>\n",
};

function item(part: TranscriptItem): string {
  if (part.kind === "turn") return `<h2>Turn ${part.turn}</h2>\n<p>${new Date(part.time).toISOString()}</p>\n`;
  if (part.kind === "note") return `<p><em>${escaped(part.text)}</em></p>\n`;
  if (part.kind === "folded")
    return `<details${part.isError ? ' class="error"' : ""}><summary>${escaped(part.label)}</summary><pre>${escaped(part.text)}</pre></details>\n`;
  return `<h3>${escaped(part.author)}</h3>\n<pre>${escaped(part.text)}</pre>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"'\0]/g, (char) => (char === "\0" ? "\ufffd" : `&#${char.charCodeAt(0)};`));
}
