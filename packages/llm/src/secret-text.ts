/**
 * Makes a provider's words safe to show: the key is cut out wherever it is echoed, control characters go, whitespace collapses.
 * Works for keys of 8 characters and more; shorter ones would match ordinary text.
 */
export function scrubber(key: string | null): (text: string) => string {
  return (text) => {
    const visible = key && key.length >= 8 ? text.replaceAll(key, "[key]") : text;
    return visible
      .replace(/\p{C}+/gu, " ")
      .replace(/\s+/g, " ")
      .trim();
  };
}
