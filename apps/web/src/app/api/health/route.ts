export const dynamic = "force-dynamic";

/** Alive: answers as long as the process can, and looks at nothing else (CP-46). */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}
