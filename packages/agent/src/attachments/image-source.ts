import { type AttachmentId, type ImageBlock, isAppError } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { failure, type ImageSource, LlmFailureError, type RequestImage } from "@gantry/llm";
import type { AttachmentStore } from "./store.ts";

/** Images read at once for one request. */
const atOnce = 4;
/** Sizes remembered, so that an image that is not sent is not read again and again. */
const maxKnownSizes = 20_000;

const offloaded: RequestImage = { kind: "omitted", text: "[image omitted: older images of this conversation are not sent again]" };
const unreadable: RequestImage = { kind: "omitted", text: "[image omitted because what was stored of it cannot be read]" };

/**
 * Gives images their data for a request. Which of the oldest stay behind is the policies' word; the log keeps them all (PRN-2). One that is lost for good
 * gives way to a text, so that its session can go on. @throws LlmFailureError for what may pass with another try
 */
export function createImageSource(ctx: Context, store: AttachmentStore): ImageSource {
  const sizes = new Map<AttachmentId, number>();

  async function load({ attachmentId }: ImageBlock): Promise<RequestImage> {
    try {
      const image = await store.requestImage(attachmentId);
      sizes.set(attachmentId, image.bytes.length);
      if (sizes.size > maxKnownSizes) sizes.delete(sizes.keys().next().value ?? attachmentId);
      return { kind: "data", ...image };
    } catch (err) {
      const isLost = isAppError(err, "NOT_FOUND") || isAppError(err, "ATTACHMENT_CORRUPT");
      ctx.logger.warn({ err, attachmentId, isLost }, "an image of a conversation cannot be read");
      if (!isLost) throw new LlmFailureError(failure("TRANSPORT", "An image of this conversation could not be read. Try again."));
      sizes.set(attachmentId, 0);
      return unreadable;
    }
  }

  return async (blocks, signal) => {
    const loaded = new Map<AttachmentId, RequestImage>();
    const loadAll = async (wanted: readonly ImageBlock[]) => {
      const queue = [...new Map(wanted.map((block) => [block.attachmentId, block])).values()].filter(
        (block) => !loaded.has(block.attachmentId),
      );
      const worker = async () => {
        for (let block = queue.shift(); block; block = queue.shift()) {
          signal.throwIfAborted();
          loaded.set(block.attachmentId, await load(block));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
    };
    await loadAll(blocks.filter(({ attachmentId }) => !sizes.has(attachmentId)));
    const candidates = blocks.map((block) => ({ block, bytes: sizes.get(block.attachmentId) ?? 0 }));
    const dropped = ctx.waterfall("attachments/offload", candidates, () => 0);
    await loadAll(blocks.slice(dropped));
    return blocks.map((block, at) => (at < dropped ? offloaded : (loaded.get(block.attachmentId) ?? unreadable)));
  };
}
