import { createFeedPublisher, createFeedSubscriber, getStatus } from "@gantry/feed";
import { createLogger, createRedis, loadEnv, objectStore } from "@gantry/platform";
import { createProducer } from "@gantry/queue";
import { createRateLimiter, type ServiceDeps } from "@gantry/services";
import { checkProvider } from "./check-provider.ts";

/** On globalThis, since a dev server reloads modules and a build evaluates them without any services. */
const held = globalThis as { gantryServiceDeps?: ServiceDeps };

/** What the services of this process work with; connections are made at the first call. */
export function serviceDeps(): ServiceDeps {
  held.gantryServiceDeps ??= createServiceDeps();
  return held.gantryServiceDeps;
}

function createServiceDeps(): ServiceDeps {
  const log = createLogger("web");
  const redis = createRedis("producer");
  return {
    env: loadEnv(),
    log,
    producer: createProducer(),
    feed: createFeedSubscriber(createRedis("pubsub")),
    publisher: createFeedPublisher(redis),
    objects: objectStore(),
    limiter: createRateLimiter(redis, log),
    checkProvider,
    installationStatus: () => getStatus(redis),
  };
}
