import { isObject } from "../json.ts";

/** A copy in which no address shows the name and password before its host. Everything else secret is a reference already (E-10). */
export function redact<T>(value: T): T {
  if (typeof value === "string") return value.replace(/(\/\/)[^/?#\s"'<>]*@/g, "$1***@") as T;
  if (Array.isArray(value)) return value.map(redact) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redact(member)])) as T;
}
