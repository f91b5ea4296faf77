import type { OrgId, UserId } from "@gantry/contracts";
import type { Role } from "@gantry/db";
import type { FeedPublisher, FeedSubscriber, InstallationStatus } from "@gantry/feed";
import type { Env, Logger, ObjectStore } from "@gantry/platform";
import type { Producer } from "@gantry/queue";
import type { RateLimiter } from "./limits/rate-limiter.ts";
import type { ProviderCheck } from "./provider/provider-check.ts";

export type { Role } from "@gantry/db";

/** What services reach besides Postgres; made once a process and handed in, so that a test chooses its own. */
export type ServiceDeps = {
  readonly env: Env;
  readonly log: Logger;
  /** Work tickets. They may be lost: what they announce is in Postgres already and the sweep finds it. */
  readonly producer: Pick<Producer, "enqueue">;
  readonly feed: FeedSubscriber;
  readonly publisher: Pick<FeedPublisher, "publishNudge">;
  readonly objects: ObjectStore;
  readonly limiter: RateLimiter;
  /** One small call to a model provider with the settings about to be saved (F61). */
  readonly checkProvider: ProviderCheck;
  readonly installationStatus: () => Promise<InstallationStatus | null>;
};

/** A signed-in person, before any organisation is chosen. */
export type UserContext = ServiceDeps & {
  readonly userId: UserId;
  readonly userName: string;
  /** The login (browser) the request came from. */
  readonly loginId: string;
};

/** A member acting in one organisation. `orgId` comes from the membership, never from an input. */
export type ServiceContext = UserContext & {
  readonly orgId: OrgId;
  readonly role: Role;
  /** Checks login and membership again, for answers that last. @throws UNAUTHENTICATED or NOT_FOUND when one is gone */
  readonly recheck: () => Promise<void>;
};
