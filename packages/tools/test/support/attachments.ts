import type { Context } from "@gantry/kernel";
import type { AttachmentsSeam } from "../../src/index.ts";

/** Keeps attachments in the way that a test says; without one, none. */
export function attachmentsPlugin(seam: Partial<AttachmentsSeam> = {}) {
  const none = () => Promise.reject(new Error("no attachments in this test"));
  return {
    name: "attachments",
    apply: (ctx: Context) => void ctx.provide("attachments", { refusal: () => null, saveImage: none, ...seam }),
  };
}
export const noAttachments = attachmentsPlugin();
