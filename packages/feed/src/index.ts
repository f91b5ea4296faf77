export { openFrameQueue, type WaitingFrames } from "./frame-queue.ts";
export { createFeedPublisher, type FeedPublisher } from "./publisher.ts";
export { getStatus, type InstallationStatus, setStatus, type WorkerStatus } from "./status.ts";
export { createFeedSubscriber, type FeedSubscriber, type Nudge } from "./subscriber.ts";
