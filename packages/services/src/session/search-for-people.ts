import type { QueryPage, SearchSessions, SessionMatch } from "@gantry/contracts";
import type { ServiceContext } from "../context.ts";
import { searchSessions } from "./query/search-sessions.ts";

/** What a member finds in the sessions of the organisation, or of one workspace (F08). @throws SESSION_QUERY_… as `searchSessions` */
export function searchForPeople({ orgId, userId }: ServiceContext, input: SearchSessions): Promise<QueryPage<SessionMatch>> {
  const { query, workspaceId, cursor, limit } = input;
  return searchSessions(
    { orgId, userId },
    { query, ...(workspaceId && { workspaceId }), ...(cursor && { cursor }), ...(limit && { limit }) },
  );
}
