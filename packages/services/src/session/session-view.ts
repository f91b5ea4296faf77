import type { SessionPreset } from "./session-preset.ts";
import type { WaitingMessage } from "./waiting-messages.ts";

/** A session in a list: its header and the readings of its log. */
export type SessionSummary = {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** null until the first prompt gave it one */
  readonly title: string | null;
  /** `waiting`: for a person's answer */
  readonly status: string;
  readonly problem: string | null;
  /** slug of the provider */
  readonly provider: string;
  readonly model: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  /** a fork's source */
  readonly parentId: string | null;
};

export type SessionDetail = SessionSummary & {
  readonly presetId: string;
  readonly presetRevision: number;
  readonly preset: SessionPreset | null;
  /** how many of the first events were copied from a fork's source: what waited there does not wait here (SES-24) */
  readonly seedLength: number | null;
  /** permission preset that it works under */
  readonly permission: string;
  /** when it goes on by itself with what a provider sent away (CP-56) */
  readonly wakeAt: Date | null;
  /** written and not taken up by a worker yet */
  readonly waiting: readonly WaitingMessage[];
  /** number of events in the log; the last one has position `eventCount - 1` */
  readonly eventCount: number;
};

export const summaryColumns = {
  id: true,
  workspaceId: true,
  workspace: { select: { name: true } },
  title: true,
  status: true,
  problem: true,
  provider: true,
  model: true,
  createdBy: true,
  createdAt: true,
  lastActivityAt: true,
  parentId: true,
} as const;

export const detailColumns = {
  ...summaryColumns,
  presetId: true,
  presetRevision: true,
  permission: true,
  seedLength: true,
  nextSeq: true,
  wakeAt: true,
} as const;

type SummaryRow = Omit<SessionSummary, "workspaceName"> & { workspace: { name: string } };
type DetailRow = SummaryRow & Omit<SessionDetail, keyof SessionSummary | "preset" | "waiting" | "eventCount"> & { nextSeq: number };

export function summaryView({ workspace, ...row }: SummaryRow): SessionSummary {
  return { ...row, workspaceName: workspace.name };
}

type Besides = Pick<SessionDetail, "preset" | "waiting">;

export function detailView({ workspace, nextSeq, ...row }: DetailRow, besides: Besides): SessionDetail {
  return { ...row, ...besides, workspaceName: workspace.name, eventCount: nextSeq };
}
