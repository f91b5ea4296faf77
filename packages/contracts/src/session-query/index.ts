export * from "./errors.ts";
export * from "./instant.ts";
export * from "./query.ts";
export * from "./search-text.ts";
export * from "./snippet.ts";
export * from "./surface-map.ts";
