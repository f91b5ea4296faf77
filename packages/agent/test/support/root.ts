import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { composeOrg, type MountRow } from "@gantry/compose";
import { AppError, type OrgId, type SessionEvent, type SessionId, type UserId } from "@gantry/contracts";
import type { Plugin } from "@gantry/kernel";
import { catalog } from "../../src/catalog.ts";
import type { OrgHost } from "../../src/root/mount-host.ts";
import { OrgRoot } from "../../src/root/org-root.ts";

type More = Partial<OrgHost> & { plugins?: Readonly<Record<string, Plugin>>; extraRows?: readonly MountRow[] };

/** What a test root is made of: the shipped host rows without a model provider, and whatever the test adds. */
export function hostOf({ plugins = {}, extraRows = [], ...host }: More = {}) {
  const lines: { level: string; message: string | undefined }[] = [];
  const write = (level: string) => (_fields: object, message?: string) => void lines.push({ level, message });
  const full: OrgHost = {
    orgId: randomUUID() as OrgId,
    logger: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    credentials: { resolve: () => Promise.resolve(null) },
    rows: [...composeOrg({ providers: [], facts: {} }).mounts, ...extraRows],
    ...host,
  };
  return { host: full, plugins: { ...catalog, ...plugins }, lines };
}

/** A real org root with all that ships, closed after the test, and options for sessions that need neither model nor container. */
export async function orgRoot(t: TestContext, more: More = {}) {
  const { host, plugins, lines } = hostOf(more);
  const root = await OrgRoot.build(host, plugins);
  t.after(() => root.close().catch(() => {}));
  const session = (events: readonly SessionEvent[] = []) => ({
    orgId: host.orgId,
    sessionId: randomUUID() as SessionId,
    userId: randomUUID() as UserId,
    epoch: 1,
    events,
    route: { provider: "none", model: "none" },
    mode: "workspace-write" as const,
    write: async () => {},
    publish: () => {},
    openWorld: () => Promise.reject(new AppError("ENGINE_DOWN", "This test has no container engine.")),
  });
  const users = () => root.generations().map(({ slug, revision, users: count }) => `${slug}@${revision}: ${count}`);
  return { root, session, users, lines };
}
