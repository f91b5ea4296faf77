import { z } from "zod";

/** The UI's vocabulary for tool calls and results (specs/tools §1.5). Presenters are pure: a replay draws the same. */
export const CardKind = z.enum(["read", "edit", "delete", "move", "search", "execute", "fetch", "other"]);
export type CardKind = z.infer<typeof CardKind>;

const location = z.object({ path: z.string(), line: z.number().int().optional() });
const diff = z.object({ path: z.string(), oldText: z.string().nullable(), newText: z.string(), startLine: z.number().int().optional() });

export const CallCard = z.discriminatedUnion("card", [
  z.object({
    card: z.literal("generic"),
    title: z.string(),
    kind: CardKind,
    content: z.string().optional(),
    rawInput: z.json().optional(),
    locations: z.array(location).optional(),
  }),
  z.object({ card: z.literal("terminal"), title: z.string(), description: z.string().optional(), cwd: z.string().optional() }),
  z.object({ card: z.literal("diff"), title: z.string(), diffs: z.array(diff), locations: z.array(location).optional() }),
]);
export type CallCard = z.infer<typeof CallCard>;

export const ResultCard = z.discriminatedUnion("card", [
  z.object({ card: z.literal("generic"), text: z.string(), format: z.enum(["plain", "console"]).optional() }),
  z.object({ card: z.literal("terminal"), output: z.string(), exitCode: z.number().optional(), signal: z.string().optional() }),
  z.object({ card: z.literal("diff"), diffs: z.array(diff) }),
  z.object({
    card: z.literal("search"),
    shape: z.literal("paths"),
    paths: z.array(z.string()),
    total: z.number().int(),
    truncated: z.boolean(),
  }),
  z.object({
    card: z.literal("matches"),
    files: z.array(z.object({ path: z.string(), matches: z.array(z.object({ lineNumber: z.number().int(), line: z.string() })) })),
    total: z.number().int(),
    truncated: z.boolean(),
  }),
  z.object({
    card: z.literal("read"),
    path: z.string(),
    offset: z.number().int(),
    lines: z.array(z.object({ number: z.number().int(), text: z.string() })),
    totalLines: z.number().int(),
    lang: z.string().optional(),
  }),
  /** the picture itself is behind its id */
  z.object({ card: z.literal("image"), path: z.string(), attachmentId: z.string(), width: z.number().int(), height: z.number().int() }),
]);
export type ResultCard = z.infer<typeof ResultCard>;
