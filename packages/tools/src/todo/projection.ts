import type { SessionEvent, Todo } from "@gantry/contracts";

/** The checklist as of one more event: the latest list, kept after the turn that wrote it and gone when the next turn starts. */
export function foldTodos(todos: readonly Todo[] | null, event: SessionEvent): readonly Todo[] | null {
  if (event.type === "todo/write") return event.data.todos;
  return event.type === "turn/start" ? null : todos;
}
