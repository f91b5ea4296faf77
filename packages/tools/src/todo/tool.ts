import { Todo } from "@gantry/contracts";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { presentTodoCall } from "../present/todo.ts";
import type { ToolDefinition } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";

const item = z.strictObject({
  content: z.string().describe("The step, as a short imperative line."),
  status: z.enum(["pending", "in_progress", "completed"]).describe("pending: not begun. in_progress: being worked on. completed: done."),
});
const parameters = z.object({ todos: z.array(item).describe("The whole list, which takes the place of the one before.") });

const counts = z.object({ pending: z.number(), inProgress: z.number(), completed: z.number() });
const TodoValue = z.object({ todos: z.array(Todo), counts });

const about = `Keeps the checklist of your current work, which the people in this session see.

- Send the complete list each time: it replaces the previous one. An empty list clears it.
- Use it for work of several steps: one entry per concrete step, before you begin. Work of a single step needs no list.
- Mark a step completed as soon as it is done, one by one, and keep at least one step in_progress until everything is.`;

const several = "\n- Several steps may be in_progress while they really run side by side; otherwise one.";
const one = "\n- At most one step may be in_progress.";

/** The `todo_write` tool (tools §13, TDO-1): the whole list goes to the session's log as one `todo/write`. */
export function todoTool(config: { allowParallelInProgress: boolean }): ToolDefinition {
  return defineTool({
    name: "todo_write",
    risk: "read",
    recovery: "idempotent",
    description: about + (config.allowParallelInProgress ? several : one),
    parameters,
    output: TodoValue,
    async execute(args, run) {
      const agent = requireAgent(run);
      const todos = args.todos.map(({ content, status }) => ({ content: content.trim(), status }));
      checkTodos(todos, config);
      agent.append({ type: "todo/write", data: { todos } });
      return { todos, counts: countsOf(todos) };
    },
    render: ({ counts: { pending, inProgress, completed } }) =>
      `Todo list updated: ${pending} pending, ${inProgress} in progress, ${completed} completed`,
    presentCall: presentTodoCall,
  });
}

/** @throws Error saying which entry to change */
function checkTodos(todos: readonly Todo[], { allowParallelInProgress }: { allowParallelInProgress: boolean }): void {
  const seen = new Set<string>();
  for (const { content } of todos) {
    if (content === "") throw new Error("a todo needs content");
    if (seen.has(content)) throw new Error(`the todo ${JSON.stringify(content)} is in the list twice`);
    seen.add(content);
  }
  const active = countsOf(todos).inProgress;
  if (!allowParallelInProgress && active > 1) throw new Error(`${active} todos are in_progress; at most one may be`);
}

function countsOf(todos: readonly Todo[]): z.infer<typeof counts> {
  const count = (status: Todo["status"]) => todos.filter((todo) => todo.status === status).length;
  return { pending: count("pending"), inProgress: count("in_progress"), completed: count("completed") };
}
