import type { Bundle } from "./bundle.ts";
import { rowsNamed } from "./rows.ts";

/** The least that runs a session, and nothing that writes into its prompt; stands alone, without the base bundle. Meant for the preset `minimal`. */
export const sdkMinimal: Bundle = {
  name: "sdk-minimal",
  version: 1,
  patches: [
    rowsNamed("agents", "agent-loop", "fs-sandbox", "llm", "llm-retry", "sandbox-policy", "settings", "subprocess-sandbox"),
    {
      insert: [
        { id: "system-prompt", name: "system-prompt", config: { includeHarnessIdentity: false, includeRuntimeContext: false } },
        { id: "tools", name: "tools" },
      ],
    },
    rowsNamed("attachments", "image-offload", "jobs", "mcp-resources", "token-meter", "working-directory"),
  ],
};
