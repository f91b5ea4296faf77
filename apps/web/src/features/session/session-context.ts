"use client";
import { createContext, useContext } from "react";
import { sessionTexts } from "../../strings/en/session.ts";

export type SessionPlace = {
  readonly org: string;
  readonly sessionId: string;
  /** by user id, as far as the log tells names */
  readonly people: Readonly<Record<string, string>>;
};

/** Which session the rows belong to. */
export const SessionContext = createContext<SessionPlace | null>(null);

export function useSessionPlace(): SessionPlace {
  const place = useContext(SessionContext);
  if (!place) throw new Error("a row is drawn outside of a session");
  return place;
}

/** The name of a person in this session's log. */
export const nameOf = (people: SessionPlace["people"], userId: string | null): string =>
  (userId !== null && people[userId]) || sessionTexts.someone;
