import type { TranscriptItem } from "./transcript.ts";

/** How a transcript is written down, piece by piece. */
export type TranscriptForm = {
  begin(session: { readonly title: string; readonly createdAt: string }): string;
  item(part: TranscriptItem): string;
  end(): string;
};
