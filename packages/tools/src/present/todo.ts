import { type CallCard, type Json, Todo } from "@gantry/contracts";
import { z } from "zod";

const Arguments = z.object({ todos: z.array(Todo) });

export function presentTodoCall(args: Json): CallCard | null {
  const { data } = Arguments.safeParse(args);
  return data ? { card: "generic", title: "Update todo list", kind: "other", rawInput: data.todos } : null;
}
