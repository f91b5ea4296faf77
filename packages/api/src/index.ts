export type { ApiContext } from "./context.ts";
export type { ApiErrorData } from "./error-shape.ts";
export { type AppRouter, appRouter } from "./router.ts";
