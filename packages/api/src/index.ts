export type { ApiContext, RequestFacts } from "./context.ts";
export type { ApiErrorData } from "./error-shape.ts";
export { handleAttachment, handleAttachmentUpload } from "./http/handle-attachments.ts";
export { handleExport } from "./http/handle-export.ts";
export { apiPath, handleApiRequest } from "./http/handle-request.ts";
export { handleUpload } from "./http/handle-upload.ts";
export { type AppRouter, appRouter } from "./router.ts";
