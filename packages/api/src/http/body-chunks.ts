/** The body of a request as it arrives; nothing for a request without one. */
export function bodyChunks(request: Request): AsyncIterable<Uint8Array> {
  // Node's streams are iterable; the DOM's types, which the web app compiles with, do not say so
  return (request.body ?? emptyBody()) as unknown as AsyncIterable<Uint8Array>;
}

function emptyBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (stream) => stream.close() });
}
