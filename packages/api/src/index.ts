export type { ApiContext } from "./context.ts";
export { type ApiErrorData, describeError, toTrpcError } from "./error-shape.ts";
export { apiPath, handleApiRequest, type RequestFacts } from "./http/handle-request.ts";
export { assertSameOrigin } from "./http/same-origin.ts";
export { type AppRouter, appRouter } from "./router.ts";
