import { z } from "zod";

/** How a workspace was filled, as its row keeps it. `object` is the archive's key in the object store. */
export const WorkspaceSource = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("empty") }),
  z.object({
    kind: z.literal("archive"),
    name: z.string(),
    object: z.string(),
    bytes: z.int().nonnegative(),
    format: z.enum(["zip", "tar.gz"]),
  }),
  z.object({ kind: z.literal("clone"), url: z.string() }),
]);
export type WorkspaceSource = z.infer<typeof WorkspaceSource>;

/** What people see of a source: no object key. */
export type WorkspaceSourceView = { kind: "empty" } | { kind: "archive"; name: string; bytes: number } | { kind: "clone"; url: string };

export type WorkspaceView = {
  readonly id: string;
  readonly name: string;
  readonly state: "ready" | "importing" | "failed";
  readonly source: WorkspaceSourceView;
  /** why the last import failed and what to do */
  readonly problem: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly sessionCount: number;
};

export const workspaceColumns = {
  id: true,
  name: true,
  state: true,
  source: true,
  problem: true,
  createdBy: true,
  createdAt: true,
  _count: { select: { sessions: true } },
} as const;

type Row = Omit<WorkspaceView, "source" | "sessionCount"> & { source: unknown; _count: { sessions: number } };

export function workspaceView({ source, _count, ...row }: Row): WorkspaceView {
  return { ...row, source: sourceView(WorkspaceSource.parse(source)), sessionCount: _count.sessions };
}

function sourceView(source: WorkspaceSource): WorkspaceSourceView {
  return source.kind === "archive" ? { kind: "archive", name: source.name, bytes: source.bytes } : source;
}
