import type { ExportFormat } from "@gantry/contracts";

/** Where a session's export is downloaded from. */
export const exportHref = (org: string, session: string, format: ExportFormat): string =>
  `/api/export?${new URLSearchParams({ org, session, format })}`;
