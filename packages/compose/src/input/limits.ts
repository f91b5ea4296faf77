/** What one layer, preset or setting may hold (E-2). */
export const limits = {
  /** of the text, and of all strings and keys of parsed data together; UTF-8 */
  maxBytes: 256 * 1024,
  /** containers inside each other; the outermost is 1 */
  maxDepth: 24,
  /** scalars and containers together */
  maxNodes: 5_000,
  maxRows: 500,
  /** of one preset */
  maxPresetRows: 100,
  /** UTF-8 bytes of one string or key */
  maxStringBytes: 64 * 1024,
} as const;
