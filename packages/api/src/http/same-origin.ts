import { AppError } from "@gantry/contracts";

/**
 * Refuses what another site's page makes a browser send (SC-W6). Browsers name the origin of every POST; `Sec-Fetch-Site` covers the rest.
 * Clients that are no browsers send neither and carry no ambient cookie. @throws FORBIDDEN
 */
export function assertSameOrigin(request: Request, ownUrl: string): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isForeign = origin !== null ? origin !== new URL(ownUrl).origin : site === "cross-site" || site === "same-site";
  if (isForeign)
    throw new AppError("FORBIDDEN", "This request came from another site. Use the address that this installation is set up for.");
}

/** A form of another site cannot send this content type without the browser asking first. @throws BAD_REQUEST */
export function assertJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("BAD_REQUEST", "Requests are JSON. Send content-type: application/json.");
}
