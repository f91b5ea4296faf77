export { type BrokerEnv, type Env, loadBrokerEnv, loadEnv, overrideEnv, useInstallation } from "./env.ts";
export { derivedId, newId } from "./ids.ts";
export { createLogger, type Logger } from "./logger.ts";
export { canonicalHost, isInsideName, kindOfHost } from "./net/host-name.ts";
export { isPublicAddress } from "./net/public-address.ts";
export { type ObjectStore, objectStore } from "./object-store.ts";
export { createRedis, type Redis, type RedisRole } from "./redis.ts";
export { onShutdown, runShutdown } from "./shutdown.ts";
export { masterKeyId, openSecret, sealSecret } from "./vault.ts";
