/** Reads at most `maxBytes` of a body as text and drops the rest; error pages have no promised size. */
export async function readCapped(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (bytes < maxBytes) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value.subarray(0, value.byteLength - Math.max(0, bytes - maxBytes)), { stream: true });
  }
  await reader.cancel().catch(() => undefined);
  return text;
}
