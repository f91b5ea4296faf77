import type { RequestFacts } from "@gantry/api";
import { readLogin } from "./auth/read-login.ts";
import { clientAddress } from "./client-address.ts";
import { serviceDeps } from "./service-deps.ts";

/** What the API needs to know about a request of this web process. */
export function requestFacts(request: Request): RequestFacts {
  return {
    deps: serviceDeps(),
    address: clientAddress(request.headers),
    login: () => readLogin(request.headers.get("cookie")),
  };
}
