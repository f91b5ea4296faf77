type Described = { type: string; code?: string; message: string; stack?: string; cause?: Described };

const maxMessageChars = 2_000;
const maxCauses = 5;

/** An error as log fields: what it is and where, without the properties drivers hang on it (pg's `detail`, Prisma's arguments). */
export function describeError(value: unknown, depth = 0): Described {
  if (!(value instanceof Error)) return { type: typeof value, message: String(value).slice(0, maxMessageChars) };
  const code = "code" in value && typeof value.code === "string" ? { code: value.code } : {};
  const cause = value.cause !== undefined && depth < maxCauses ? { cause: describeError(value.cause, depth + 1) } : {};
  return { type: value.name, ...code, message: shortMessage(value), ...frames(value), ...cause };
}

/** Prisma prints the whole call, values included, above the last line. */
function shortMessage(error: Error): string {
  const text = error.name.startsWith("PrismaClient") ? (error.message.trimEnd().split("\n").at(-1) ?? "") : error.message;
  return text.slice(0, maxMessageChars);
}

function frames(error: Error): { stack?: string } {
  const lines = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return lines.length > 0 ? { stack: lines.join("\n") } : {};
}
