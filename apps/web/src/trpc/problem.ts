import type { ApiErrorData } from "@gantry/api";
import type { ErrorCode } from "@gantry/contracts";
import { commonTexts } from "../strings/en/common.ts";

/** A failure as people read it: why, what to do, whether trying again can help, an id to quote. */
export type Problem = {
  code: ErrorCode | "NETWORK";
  why: string;
  todo: string | null;
  id: string | null;
  /** the input that is to blame, and what is wrong with each one */
  field: string | null;
  fields: Readonly<Record<string, string>>;
  canRetry: boolean;
};

type Shape = { data?: Partial<ApiErrorData> | null; message?: string };

/** Reads any error of the client. Messages of known errors are written for people and pass through; others get a text of ours. */
export function problemOf(error: unknown): Problem {
  const { data, message } = (error ?? {}) as Shape;
  if (!data)
    return {
      code: "NETWORK",
      why: commonTexts.errors.network,
      todo: commonTexts.errors.networkTodo,
      id: null,
      field: null,
      fields: {},
      canRetry: true,
    };
  const code = data.appCode ?? "INTERNAL";
  const id = data.requestId ?? null;
  const field = typeof data.details?.field === "string" ? data.details.field : null;
  const fields = data.fields ?? {};
  if (code === "INTERNAL" || !message)
    return { code, why: commonTexts.errors.unknown, todo: commonTexts.errors.unknownTodo, id, field, fields, canRetry: true };
  return { code, why: message, todo: null, id, field, fields, canRetry: data.retry ?? false };
}

/** Not signed in any more: the page goes to the sign-in form. */
export const isSignedOut = (error: unknown): boolean => {
  const data = (error as Shape | null)?.data;
  return data?.appCode === "UNAUTHENTICATED" || data?.code === "UNAUTHORIZED";
};
