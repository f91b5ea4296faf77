import type { SessionEvent } from "../events.ts";
import type { OrgId, SessionId, UserId, WorkspaceId } from "../ids.ts";
import type { SearchKind } from "./search-text.ts";
import type { EventSurface } from "./surface-map.ts";

/** Who asks. With `sessionId` an agent for the person who began that session: it sees its own workspace and never finds itself (QRY-5, QRY-6). */
export type QueryCaller = { readonly orgId: OrgId; readonly userId: UserId; readonly sessionId?: SessionId };

/** Moments are ISO texts with `Z` or an offset; bounds are inclusive; an empty list is no filter (QRY-7). */
export type EventFilter = {
  readonly seqFrom?: number;
  readonly seqTo?: number;
  readonly timeFrom?: string;
  readonly timeTo?: string;
  readonly types?: readonly string[];
  readonly surfaces?: readonly EventSurface[];
};
type Paging = { readonly limit?: number; readonly cursor?: string };

export type SessionSearchQuery = Paging & {
  readonly query: string;
  readonly workspaceId?: WorkspaceId;
  readonly sessionIds?: readonly string[];
  readonly createdFrom?: string;
  readonly createdTo?: string;
  /** with `includeRoots`: sessions of these parents or without a parent */
  readonly parentIds?: readonly string[];
  readonly includeRoots?: boolean;
  /** every session is persisted; live ones are held by a worker now */
  readonly availability?: readonly ("live" | "persisted")[];
  readonly events?: EventFilter;
};
export type EventSearchQuery = Paging & { readonly query: string; readonly sessionId?: string; readonly events?: EventFilter };

/** `nextCursor` goes on with the same question while nothing was added. `isComplete` false: some sessions are not indexed yet, ask again. */
export type QueryPage<T> = { readonly items: readonly T[]; readonly nextCursor: string | null; readonly isComplete: boolean };

export type EventMatch = { readonly seq: number; readonly time: number; readonly kind: SearchKind; readonly snippet: string };
/** `outside`: there is one, and the caller may not see it. */
export type ParentMark = { readonly sessionId: string } | "outside" | null;
export type SessionHeader = {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly title: string | null;
  /** epoch milliseconds */
  readonly createdAt: number;
  readonly isLive: boolean;
};
export type SessionMatch = SessionHeader & { readonly parent: ParentMark; readonly matches: number; readonly best: EventMatch };

/** `outside` stands for one or more sessions that the caller may not see, without their ids or their number (AG-033). */
export type LineageNode = (SessionHeader & { readonly children: readonly LineageNode[] }) | "outside";
export type SessionLineage = {
  /** nearest first; ends with `outside` where the line leaves what the caller may see */
  readonly ancestors: readonly (SessionHeader | "outside")[];
  readonly target: SessionHeader & { readonly children: readonly LineageNode[] };
  /** the tree was longer than what is shown */
  readonly isCut: boolean;
};

export type EventLine = {
  readonly seq: number;
  readonly time: number;
  readonly type: string;
  readonly surface: EventSurface;
  readonly summary: string;
};
export type EventReading = {
  readonly sessionId: string;
  readonly event: SessionEvent;
  readonly surface: EventSurface;
  readonly before: readonly EventLine[];
  readonly after: readonly EventLine[];
};
export type EventTrace = {
  readonly sessionId: string;
  readonly seq: number;
  readonly surface: EventSurface;
  readonly replacedBy: number | null;
  /** from the event that replaced it to the one that is current */
  readonly chain: readonly number[];
  readonly replaced: readonly number[];
  readonly sources: readonly number[];
  /** events that name it among their sources */
  readonly derived: readonly number[];
};

/** Most results of one page, and most neighbours of one event (QRY-2, QRY-4). */
export const maxSearchResults = 100;
export const maxNeighbours = 50;

/**
 * What the five tools ask of a host (QRY-4). All of it is read-only, and decides anew at each call what the caller may see; a session that is not
 * there and one that the caller may not see are one answer, `SESSION_QUERY_SESSION_NOT_FOUND`. Signals end a call with their own reason.
 */
export type SessionQuery = {
  searchSessions(caller: QueryCaller, query: SessionSearchQuery, signal?: AbortSignal): Promise<QueryPage<SessionMatch>>;
  searchEvents(caller: QueryCaller, query: EventSearchQuery, signal?: AbortSignal): Promise<QueryPage<EventMatch>>;
  traceSession(caller: QueryCaller, target: { sessionId?: string }): Promise<SessionLineage>;
  readEvent(caller: QueryCaller, target: { sessionId?: string; seq: number; before?: number; after?: number }): Promise<EventReading>;
  traceEvent(caller: QueryCaller, target: { sessionId?: string; seq: number }): Promise<EventTrace>;
};
