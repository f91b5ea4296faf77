export { createFeedPublisher, type FeedPublisher } from "./publisher.ts";
export { type SessionFrames, sessionFrames } from "./session-frames.ts";
export { getStatus, type InstallationStatus, setStatus, type WorkerStatus } from "./status.ts";
export { createFeedSubscriber, type FeedSubscriber, type Nudge } from "./subscriber.ts";
