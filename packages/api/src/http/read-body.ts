import { AppError } from "@gantry/contracts";
import { bodyChunks } from "./body-chunks.ts";
import { guardJson } from "./json-guard.ts";

/** The largest request body; checked while it arrives and before it is parsed (SC-R13). */
export const maxBodyBytes = 1_000_000;

/** The body of a JSON request as text. @throws MESSAGE_TOO_LARGE (413) as soon as the limit is passed, BAD_REQUEST for JSON bombs */
export async function readJsonBody(request: Request): Promise<string> {
  const body = bodyChunks(request);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) break;
    chunks.push(chunk);
  }
  if (bytes > maxBodyBytes) {
    await body.drain();
    throw tooLarge();
  }
  const text = Buffer.concat(chunks).toString("utf8");
  guardJson(text);
  return text;
}

function tooLarge(): AppError {
  return new AppError(
    "MESSAGE_TOO_LARGE",
    `The request is larger than ${maxBodyBytes} bytes. Shorten the message, or put long text into a file.`,
    {
      data: { maxBytes: maxBodyBytes },
    },
  );
}
