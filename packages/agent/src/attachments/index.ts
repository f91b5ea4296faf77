import { isEvent, type SessionId } from "@gantry/contracts";
import { type Context, Service } from "@gantry/kernel";
import type { AttachmentsSeam, GivenImage, SavedImage, ToolAgent } from "@gantry/tools";
import "./events.ts";
import { createImageSource } from "./image-source.ts";
import type { AttachmentStore } from "./store.ts";

export const name = "attachments";
export const inject = ["attachmentStore", "llm"];

/** Provides `attachments` for tools and `imageSource` for requests, over what the host keeps for the org. */
export function apply(ctx: Context): void {
  new Attachments(ctx, ctx.attachmentStore);
  ctx.provide("imageSource", createImageSource(ctx, ctx.attachmentStore));
}

class Attachments extends Service implements AttachmentsSeam {
  private readonly store: AttachmentStore;
  private readonly llm: Context["llm"];

  constructor(ctx: Context, store: AttachmentStore) {
    super(ctx, "attachments");
    this.store = store;
    this.llm = ctx.llm;
  }

  /** By the route of the last request; what a model is not known to accept it does not get (tools §9.4). */
  refusal(agent: ToolAgent): string | null {
    const header = agent.history().findLast((event) => isEvent(event, "request/header"));
    const route = header && isEvent(header, "request/header") ? header.data.header.config : agent.route;
    if (!route) return "no model is chosen for this session, so no image can be shown";
    if (this.llm.resolve(route)?.acceptsImages) return null;
    return `the model ${route.model} does not accept images; a person can switch the session to a model that does`;
  }

  saveImage(agent: ToolAgent, image: GivenImage): Promise<SavedImage> {
    return this.store.saveImage(agent.sessionId as SessionId, image);
  }
}
