import type { SessionQuery } from "@gantry/contracts";
import { readEvent } from "./read-event.ts";
import { searchEvents } from "./search-events.ts";
import { searchSessions } from "./search-sessions.ts";
import { traceEvent } from "./trace-event.ts";
import { traceSession } from "./trace-session.ts";

/** The five services behind the tools, as a worker hands them to its plugins. */
export const sessionQuery: SessionQuery = { searchSessions, searchEvents, traceSession, readEvent, traceEvent };
