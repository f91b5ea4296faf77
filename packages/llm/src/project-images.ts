import type { ContentBlock, ImageBlock, TextBlock } from "@gantry/contracts";
import { historyFold } from "./history-fold.ts";
import type { AdapterRequest, LlmRequest, RequestImage } from "./request.ts";

type ImageData = Extract<RequestImage, { kind: "data" }>;

/**
 * Decides what becomes of each image of a request: its data with a line before it that names it, or a text in its place, always for a route that takes
 * text only (LLM-10). The log's messages stay what they are.
 */
export async function projectImages({ images, ...request }: LlmRequest, acceptsImages: boolean): Promise<AdapterRequest> {
  const blocks = [...blocksOf(request)];
  if (blocks.length === 0) return request;
  const shown = acceptsImages && images ? await images(blocks, request.signal) : blocks.map(acceptsImages ? unavailable : textOnly);
  if (shown.length !== blocks.length) throw new Error(`a request has ${blocks.length} images and got ${shown.length}`);
  const imageData = new Map<ImageBlock, ImageData>();
  const queue = shown.values();
  const place = (block: ImageBlock): (TextBlock | ImageBlock)[] => {
    const image = queue.next().value ?? unavailable();
    if (image.kind === "omitted") return [{ type: "text", text: image.text }];
    const sent = { ...block }; // of its own: the same block may stand in two places
    imageData.set(sent, image);
    return [{ type: "text", text: `Image ${block.attachmentId}; request image ${image.width}x${image.height}px.` }, sent];
  };
  const messages = request.messages.map((message) => {
    if (!message.content.some((block) => imagesOf(block).length > 0)) return message;
    return { ...message, content: message.content.flatMap((block) => placed(block, place)) };
  });
  return { ...request, messages, imageData };
}

const blocksOf = historyFold<ImageBlock[]>({
  start: () => [],
  take: (blocks, { content }) => {
    for (const block of content) blocks.push(...imagesOf(block));
  },
});

function imagesOf(block: ContentBlock): ImageBlock[] {
  if (block.type === "image") return [block];
  return block.type === "tool-result" ? block.content.filter((part) => part.type === "image") : [];
}

function placed(block: ContentBlock, place: (image: ImageBlock) => (TextBlock | ImageBlock)[]): ContentBlock[] {
  if (block.type === "image") return place(block);
  if (block.type !== "tool-result") return [block];
  return [{ ...block, content: block.content.flatMap((part) => (part.type === "image" ? place(part) : [part])) }];
}

const textOnly = ({ attachmentId }: ImageBlock): RequestImage => ({
  kind: "omitted",
  text: `[image omitted because this model accepts text only; attachment ${attachmentId.slice(0, 8)}]`,
});
const unavailable = (): RequestImage => ({ kind: "omitted", text: "[image omitted because it is not available to this request]" });
