import type { ImageBlock, ImageMediaType, ImageSize } from "@gantry/contracts";
import type { ToolAgent } from "../agent.ts";

/** `bytes`: of what is kept. `original`: its size before it was made smaller. */
export type SavedImage = { readonly block: ImageBlock; readonly bytes: number; readonly original?: ImageSize };
export type GivenImage = {
  readonly bytes: Buffer;
  readonly name: string;
  /** the format that its name promises */
  readonly expected?: ImageMediaType | "image/gif";
};

/** The optional service `attachments`: keeps images that tools find, as part of the session (tools §9.4, §10). */
export interface AttachmentsSeam {
  /** Why the model that the agent talks to now cannot be shown an image; null when it can. */
  refusal(agent: ToolAgent): string | null;
  /** @throws AppError with the reason why it is not taken: damaged, too large, no image, another format than expected */
  saveImage(agent: ToolAgent, image: GivenImage): Promise<SavedImage>;
}

declare module "@gantry/kernel" {
  interface Context {
    /** Optional: read with `get`. Absent, no tool shows images. */
    attachments: AttachmentsSeam;
  }
}
