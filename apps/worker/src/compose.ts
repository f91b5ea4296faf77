import type { OrgId, SessionId } from "@gantry/contracts";
import type { FeedPublisher, FeedSubscriber } from "@gantry/feed";
import type { Env, Logger, ObjectStore } from "@gantry/platform";
import type { Producer } from "@gantry/queue";
import type { SandboxClient } from "@gantry/sandbox";
import type { OrgGrounds } from "./org-grounds.ts";
import type { OrgRoots } from "./roots/org-roots.ts";

export type SessionRef = { orgId: OrgId; sessionId: SessionId };

/** What the worker's handlers share; made once in `main`. */
export type WorkerDeps = {
  env: Env;
  log: Logger;
  workerId: string;
  producer: Producer;
  publisher: FeedPublisher;
  subscriber: FeedSubscriber;
  objects: ObjectStore;
  sandbox: SandboxClient;
  grounds: OrgGrounds;
  roots: OrgRoots;
  /** sessions this process holds now */
  holding: Set<SessionId>;
  /** aborts when this process is asked to stop: sessions end at their next step boundary and none is taken (REC-4) */
  draining: AbortSignal;
  /** aborts when that took too long: sessions end where they are */
  stop: AbortSignal;
};
