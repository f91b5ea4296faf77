import { handleApiRequest } from "@gantry/api";
import { requestFacts } from "../../../../server/request-facts.ts";

export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> => handleApiRequest(request, requestFacts(request));

export { handle as GET, handle as POST };
