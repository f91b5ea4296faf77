"use client";
import { memo, type ReactNode } from "react";
import type { Row } from "../model/rows.ts";
import { FooterRowView } from "./footer-row.tsx";
import type { ToggleRow } from "./parts.tsx";
import { PromptRowView } from "./prompt-row.tsx";
import { CommandRowView, CompactionRowView, PermissionRowView } from "./remark-rows.tsx";
import { EndRowView, MoreRowView, PresetRowView, RetryRowView, SummaryRowView, TodosRowView } from "./status-rows.tsx";
import { NoticeRowView, ReasoningRowView, TextRowView } from "./text-row.tsx";
import { ToolRowView } from "./tool-row.tsx";

type Of<K extends Row["kind"]> = Extract<Row, { kind: K }>;
type View<K extends Row["kind"]> = (props: { row: Of<K>; open: boolean; onToggle: ToggleRow }) => ReactNode;

/** One view a kind of row; a missing one does not compile. */
const views: { [K in Row["kind"]]: View<K> } = {
  preset: PresetRowView,
  permission: PermissionRowView,
  command: CommandRowView,
  compaction: CompactionRowView,
  prompt: PromptRowView,
  notice: NoticeRowView,
  text: TextRowView,
  reasoning: ReasoningRowView,
  tool: ToolRowView,
  todos: TodosRowView,
  retry: RetryRowView,
  end: EndRowView,
  summary: SummaryRowView,
  footer: FooterRowView,
  more: MoreRowView,
};

/** A row is drawn again only when its object or its fold changed. */
export const RowView = memo(({ row, open, onToggle }: { row: Row; open: boolean; onToggle: ToggleRow }): ReactNode => {
  const View = views[row.kind] as View<Row["kind"]>;
  return <View row={row as never} open={open} onToggle={onToggle} />;
});
