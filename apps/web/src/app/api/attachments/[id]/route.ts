import { handleAttachment } from "@gantry/api";
import { requestFacts } from "../../../../server/request-facts.ts";

export const dynamic = "force-dynamic";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return handleAttachment(request, (await params).id, requestFacts(request));
}
