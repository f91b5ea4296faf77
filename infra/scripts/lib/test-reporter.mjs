// A node:test reporter: one JSON record a line, for node-tests.mjs to count and show.
export default async function* report(source) {
  for await (const { type, data } of source) {
    const record = recordOf(type, data);
    if (record) yield `${JSON.stringify(record)}\n`;
  }
}

function recordOf(type, data) {
  if (type === "test:stdout" || type === "test:stderr") return { kind: "output", file: data.file, text: data.message };
  if (type === "test:summary") return { kind: "end", file: data.file };
  if (type !== "test:pass" && type !== "test:fail") return null;
  if (data.details?.type === "suite") return null;
  const { error } = data.details;
  // a parent is reported again for its children's failures
  if (error?.failureType === "subtestsFailed") return null;
  const skip = data.skip ?? data.todo;
  return {
    kind: skip === undefined || skip === false ? type.slice(5) : "skip",
    name: data.name,
    file: data.file,
    why: typeof skip === "string" ? skip : "",
    error: error ? describe(error.cause ?? error) : undefined,
  };
}

function describe(error) {
  if (typeof error !== "object" || error === null) return String(error);
  const cause = error.cause ? `\ncaused by ${describe(error.cause)}` : "";
  return `${error.stack ?? error.message ?? JSON.stringify(error)}${cause}`;
}
