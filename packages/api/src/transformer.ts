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
  output: { serialize, deserialize: superjson.deserialize },
};

/**
 * superjson refuses keys named like members of every object, and the word of a tool or a plugin in an event may be one: without this, one of them would
 * close the whole log (CP-52). Such an answer travels as the plain JSON that it is.
 */
function serialize(value: unknown): ReturnType<typeof superjson.serialize> {
  try {
    return superjson.serialize(value);
  } catch (error) {
    if (error instanceof Error && error.message.includes("prototype pollution")) return { json: value as never };
    throw error;
  }
}

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
