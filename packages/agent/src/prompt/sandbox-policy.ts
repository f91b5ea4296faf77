import type { Context } from "@gantry/kernel";
import type { SandboxMode } from "@gantry/sandbox";
import { contextOrder } from "@gantry/tools";
import { Agent } from "../loop/agent.ts";

/** Tells the model what its sandbox allows, as a runtime fact (CTX-1). */
export const name = "sandbox-policy";
export const inject = ["systemPrompt"];

const facts: Record<SandboxMode, string> = {
  "read-only": "Sandbox: read-only. The workspace can be read; writing anywhere but /tmp fails. There is no network.",
  "workspace-write": "Sandbox: workspace-write. /workspace and /tmp are writable, everything else is read-only. There is no network.",
  "danger-full-access": "Sandbox: full access inside the container. Nothing outside the container can be reached; there is no network.",
};

export function apply(ctx: Context): void {
  const text = ({ scope }: { scope?: object }) => (scope instanceof Agent ? facts[scope.sandboxMode()] : "");
  ctx.systemPrompt.context({ name: "sandbox:policy", order: contextOrder.sandboxPolicy, text });
}
