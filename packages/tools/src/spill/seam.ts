import type { ToolAgent } from "../agent.ts";

/** Where a complete text went. `hint` tells the model how to read it. */
export type Stored = { locator: string; hint: string };

/** The optional service `spill`: keeps a complete text where the session's own tools can read it (tools §19.2). */
export interface SpillSeam {
  saveText(text: {
    owner: ToolAgent;
    source: { toolName: string; callId: string; label: string };
    suggestedName: string;
    content: string;
  }): Promise<Stored>;
}

declare module "@gantry/kernel" {
  interface Context {
    /** Optional: read with `get`. Absent, results stay whole. */
    spill: SpillSeam;
  }
}
