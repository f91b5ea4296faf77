import { handleExport } from "@gantry/api";
import { requestFacts } from "../../../server/request-facts.ts";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return handleExport(request, requestFacts(request));
}
