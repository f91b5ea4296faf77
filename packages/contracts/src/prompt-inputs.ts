import { z } from "zod";
import { SessionId } from "./ids.ts";
import { ClientKey, OrgSlug, text } from "./inputs.ts";

/** Name of a permission preset, as `permissionPresets` has them. */
const PermissionName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, "must be the name of a permission preset");

export const ListPrompts = z.strictObject({ org: OrgSlug, sessionId: SessionId });
export type ListPrompts = z.infer<typeof ListPrompts>;

/** What can be asked at once, so that all of it can be answered; lengths in UTF-16 units. */
export const questionLimits = { questions: 100, idChars: 500, options: 100, labelChars: 10_000 } as const;

const Answer = z.strictObject({
  id: z.string().min(1).max(questionLimits.idChars),
  /** labels of the question's options */
  selected: z.array(z.string().max(questionLimits.labelChars)).max(questionLimits.options),
  /** the person's own words, instead of a choice or besides it */
  custom: text(20_000).optional(),
});

/**
 * `binding`: as it was shown with the prompt; an answer to anything else is refused (SC-P2). Approvals are allowed once or denied, questions are
 * answered or dismissed.
 */
export const AnswerPrompt = z.strictObject({
  org: OrgSlug,
  promptId: z.uuid(),
  binding: z.string().regex(/^[0-9a-f]{64}$/),
  outcome: z.enum(["allow-once", "deny", "answer", "dismiss"]),
  answers: z.array(Answer).max(questionLimits.questions).optional(),
  clientKey: ClientKey,
});
export type AnswerPrompt = z.infer<typeof AnswerPrompt>;

export const SetPermission = z.strictObject({ org: OrgSlug, sessionId: SessionId, preset: PermissionName, clientKey: ClientKey });
export type SetPermission = z.infer<typeof SetPermission>;
