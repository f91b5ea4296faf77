// What a benchmark uses of the scripts that start services; those are plain JavaScript, so that the first `npm start` needs no build.
declare module "*/lib/daemon.mjs" {
  export function stopDaemon(dataDir: string, name: string, options?: { signal?: NodeJS.Signals; graceMs?: number }): Promise<void>;
}
declare module "*/lib/redis.mjs" {
  export function ensureRedis(options: { dataDir: string; ephemeral?: boolean }): Promise<unknown>;
}
declare module "*/lib/postgres.mjs" {
  export function ensurePostgres(options: { dataDir: string; ephemeral?: boolean; durable?: boolean }): Promise<unknown>;
}
declare module "*/lib/wait.mjs" {
  export function isPortFree(port: number): Promise<boolean>;
  export function waitFor(condition: () => boolean | Promise<boolean>, options: { limitMs: number; what: string }): Promise<void>;
}
