import { after } from "node:test";
import { createFeedPublisher, createFeedSubscriber, type FeedPublisher, getStatus } from "@gantry/feed";
import { createLogger, createRedis, type Env, objectStore } from "@gantry/platform";
import { createProducer } from "@gantry/queue";
import { createRateLimiter, type ServiceDeps } from "@gantry/services";

export type TestDeps = ServiceDeps & { readonly publisher: FeedPublisher };

/** What services work with, on the real Postgres and Redis of `env`; only the call to a model provider is left out. Closed when the file's tests are done. */
export function testServiceDeps(env: Env, overrides: Partial<ServiceDeps> = {}): TestDeps {
  const log = createLogger("test");
  const redis = createRedis("producer");
  const pubsub = createRedis("pubsub");
  const producer = createProducer();
  after(async () => {
    await producer.close();
    redis.disconnect();
    pubsub.disconnect();
  });
  return {
    env,
    log,
    producer,
    feed: createFeedSubscriber(pubsub),
    objects: objectStore(),
    limiter: createRateLimiter(redis, log),
    checkProvider: async () => {},
    installationStatus: () => getStatus(redis),
    ...overrides,
    publisher: createFeedPublisher(redis),
  };
}
