import { type EventData, isEvent, type Todo } from "../events.ts";
import type { ApprovalPolicy, SandboxModeName } from "../permissions.ts";
import { defineUnit } from "./unit.ts";

/** The checklist: the latest list, kept after the turn that wrote it and gone when the next one starts. */
export const todos = defineUnit<readonly Todo[] | null, readonly Todo[] | null>({
  key: "todos",
  init: null,
  apply(list, event) {
    if (isEvent(event, "todo/write")) return event.data.todos;
    return isEvent(event, "turn/start") ? null : list;
  },
  view: (list) => list,
});

export type TitleReading = { readonly title: string; readonly source: EventData<"session/title">["source"]["kind"] };

/** The last title wins (TTL-5); `source` user: a person pinned it. */
export const title = defineUnit<TitleReading | null, TitleReading | null>({
  key: "title",
  init: null,
  apply: (known, event) => (isEvent(event, "session/title") ? { title: event.data.title, source: event.data.source.kind } : known),
  view: (known) => known,
});

/** How full the model's memory is, as last measured. Null: not measured yet, which is not nothing (PRJ-5). */
export type ContextPressure = { readonly promptTokens: number | null; readonly contextWindow: number | null };

export const contextPressure = defineUnit<ContextPressure, ContextPressure>({
  key: "contextPressure",
  init: { promptTokens: null, contextWindow: null },
  apply(known, event) {
    if (isEvent(event, "request/context")) return { ...known, contextWindow: event.data.contextWindow ?? null };
    if (!isEvent(event, "assistant/message") || typeof event.surfaceOp === "object" || !event.data.usage) return known;
    const { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = event.data.usage;
    const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
    return promptTokens === 0 ? known : { ...known, promptTokens };
  },
  view: (known) => known,
});

/** What the log says of the session's permissions; null: never said, the defaults hold. */
export type PermissionsReading = {
  readonly mode: SandboxModeName | null;
  readonly policy: ApprovalPolicy | null;
  readonly preset: string | null;
};

export const permissions = defineUnit<PermissionsReading, PermissionsReading>({
  key: "permissions",
  init: { mode: null, policy: null, preset: null },
  apply(known, event) {
    if (isEvent(event, "sandbox/mode")) return { ...known, mode: event.data.mode };
    if (isEvent(event, "approval/policy")) return { ...known, policy: event.data.policy };
    return isEvent(event, "permission/preset") ? { ...known, preset: event.data.preset } : known;
  },
  view: (known) => known,
});

export type SelectedPreset = EventData<"agent-preset/selected">;

/** The last logged switch; null: the session runs on the preset it was created with. */
export const presetSelected = defineUnit<SelectedPreset | null, SelectedPreset | null>({
  key: "presetSelected",
  init: null,
  apply: (known, event) => (isEvent(event, "agent-preset/selected") ? event.data : known),
  view: (known) => known,
});
