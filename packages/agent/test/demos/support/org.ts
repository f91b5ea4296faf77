import { randomUUID } from "node:crypto";
import { composeOrg, readLayer } from "@gantry/compose";
import { AppError, type OrgId, type SessionId, type UserId } from "@gantry/contracts";
import { type Context, type KernelLogger, type Plugin, Service } from "@gantry/kernel";
import { catalog } from "../../../src/catalog.ts";
import type { Agent } from "../../../src/loop/agent.ts";
import type { PresetRef } from "../../../src/presets/preset-ref.ts";
import { OrgRoot } from "../../../src/root/org-root.ts";
import { plainTool } from "./world.ts";

declare module "@gantry/kernel" {
  interface Context {
    shell: Shell;
  }
}

/** A capability that only presets bring. */
class Shell extends Service {
  readonly kind: string;
  constructor(ctx: Context, { kind }: { kind: string }) {
    super(ctx, "shell");
    this.kind = kind;
  }
}

const quiet: KernelLogger = { debug() {}, info() {}, warn() {}, error() {} };

export type DemoOrg = {
  root: OrgRoot;
  /** Of a host row: what it registers is the whole org's. */
  ctx: Context;
  dump: Parameters<typeof composeOrg>[0];
  agent(sessionId: string, preset: PresetRef): Promise<Agent>;
};

/** An org on the bundles under a stored layer, if there is one, with its persona, tools of its own for everybody, and the plugins that the presets of these demos name. */
export async function openOrg(
  words: { orgId: OrgId; persona: string; tools: readonly string[]; layer?: string },
  logger = quiet,
): Promise<DemoOrg> {
  const { orgId, persona, tools, layer } = words;
  const text = JSON.stringify([{ id: "system-prompt", config: { personaPrefix: persona } }]);
  const input = {
    providers: [],
    layers: [readLayer("org", "org", text), ...(layer === undefined ? [] : [readLayer("org, stored", "org", layer)])],
    facts: {},
  };
  const found = Promise.withResolvers<Context>();
  const plugins: Record<string, Plugin> = {
    ...catalog,
    "demo-tools": {
      name: "demo-tools",
      inject: ["tools", "systemPrompt"],
      apply(own: Context) {
        for (const tool of tools) own.tools.register(plainTool(tool, `${tool} of the org`));
        found.resolve(own);
      },
    },
    "demo-shell": { name: "demo-shell", apply: (own: Context, config: { kind: string }) => void new Shell(own, config) },
    "demo-shell-tool": {
      name: "demo-shell-tool",
      inject: ["tools", "shell"],
      apply(own: Context, { tool }: { tool: string }) {
        const { kind } = own.shell;
        own.tools.register(plainTool(tool, `${tool} in a ${kind}`));
      },
    },
  };
  const rows = [...composeOrg(input).mounts, { id: "demo-tools", name: "demo-tools" }];
  const host = { orgId, logger, credentials: { resolve: () => Promise.resolve(null) }, rows };
  const root = await OrgRoot.build(host, plugins);
  return {
    root,
    ctx: await found.promise,
    dump: input,
    agent: (sessionId, preset) => root.createAgent(agentOptions(orgId, sessionId), preset),
  };
}

/** A preset whose shell, with the tool that uses it if any, is in a realm of its own; `isolated: false` leaves the realm away. */
export function shellPreset(slug: string, shell: { kind: string; tool?: string; isolated?: boolean; count?: number }): PresetRef {
  const { kind, tool, isolated = true, count = 1 } = shell;
  const shells = Array.from({ length: count }, (_, index) => ({ id: `shell-${index + 1}`, name: "demo-shell", config: { kind } }));
  const user = tool === undefined ? [] : [{ id: "shell-tool", name: "demo-shell-tool", config: { tool } }];
  const children = [...shells, ...user];
  const group = { id: "own-shell", name: "cordis:group", children, ...(isolated ? { isolate: { shell: true as const } } : {}) };
  return { presetId: `preset-${slug}`, slug, revision: 1, hash: slug, mounts: [group] };
}

export const plainPreset: PresetRef = { presetId: "preset-plain", slug: "plain", revision: 1, hash: "plain", mounts: [] };

function agentOptions(orgId: OrgId, sessionId: string): Parameters<OrgRoot["createAgent"]>[0] {
  return {
    orgId,
    sessionId: sessionId as SessionId,
    userId: randomUUID() as UserId,
    epoch: 1,
    events: [],
    route: { provider: "none", model: "small-model" },
    mode: "workspace-write",
    write: async () => {},
    publish: () => {},
    openWorld: () => Promise.reject(new AppError("ENGINE_DOWN", "A demo has no container engine.")),
  };
}
