import type { ImageBlock } from "@gantry/contracts";
import type { ImageSource } from "@gantry/llm";
import type { AttachmentStore } from "./store.ts";

/** `bytes`: of the image as it would be sent. */
export type OffloadCandidate = { readonly block: ImageBlock; readonly bytes: number };

declare module "@gantry/kernel" {
  interface Context {
    attachmentStore: AttachmentStore;
    /** Optional: read with `get`. Absent, models are told that images are left out. */
    imageSource: ImageSource;
  }
  interface Events {
    /** How many of a request's images, from the oldest on, are not sent; the innermost answer is none (PRN-2). @mode waterfall */
    "attachments/offload"(images: readonly OffloadCandidate[], next: () => number): number;
  }
}
