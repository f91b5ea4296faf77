import { isReady } from "@gantry/services";
import { serviceDeps } from "../../../../server/service-deps.ts";

export const dynamic = "force-dynamic";

/** Ready for requests: Postgres answers. Without Redis the process still serves, only slower, so that does not count. */
export async function GET(): Promise<Response> {
  const state = await isReady(serviceDeps());
  return Response.json(state, { status: state.database ? 200 : 503, headers: { "cache-control": "no-store" } });
}
