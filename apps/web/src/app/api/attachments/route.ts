import { handleAttachmentUpload } from "@gantry/api";
import { requestFacts } from "../../../server/request-facts.ts";

export const dynamic = "force-dynamic";

export function POST(request: Request): Promise<Response> {
  return handleAttachmentUpload(request, requestFacts(request));
}
