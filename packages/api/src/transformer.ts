import { AppError } from "@gantry/contracts";
import superjson from "superjson";

const maxDepth = 64;

/** superjson, that takes no input with which its copying could be misled: a key `__proto__`, or nesting that overflows the stack (SC-T7, SC-R13). */
export const transformer = {
  input: {
    serialize: superjson.serialize,
    deserialize: (value: Parameters<typeof superjson.deserialize>[0]): unknown => {
      assertHarmless(value);
      return superjson.deserialize(value);
    },
  },
  output: superjson,
};

function assertHarmless(value: unknown): void {
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, depth] = next;
    if (typeof inner !== "object" || inner === null) continue;
    if (depth > maxDepth || Object.hasOwn(inner, "__proto__"))
      throw new AppError("BAD_REQUEST", "The request has a form that is not accepted.");
    for (const child of Object.values(inner)) open.push([child, depth + 1]);
  }
}
