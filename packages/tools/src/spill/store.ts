import { createHash, randomBytes } from "node:crypto";
import { type Context, Service } from "@gantry/kernel";
import type { FsSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import type { SpillSeam, Stored } from "./seam.ts";

export const name = "spill";
export const inject = ["fs"];
export const Config = z.strictObject({
  /** Where the texts lie inside the world; not in the workspace, so that they are in no diff. */
  folder: z.string().startsWith("/").default("/tmp/gantry-spill"),
});

/** Provides `spill`: each text is a file of its own with a name that cannot be guessed and never leaves its folder (EX-303). */
export function apply(ctx: Context, config: z.infer<typeof Config>): void {
  new WorldSpill(ctx, ctx.fs, config.folder);
}

class WorldSpill extends Service implements SpillSeam {
  private readonly fs: FsSeam;
  private readonly folder: string;

  constructor(ctx: Context, fs: FsSeam, folder: string) {
    super(ctx, "spill");
    this.fs = fs;
    this.folder = folder;
  }

  /** @throws FsError when the world does not take it */
  async saveText({ owner, suggestedName, content }: Parameters<SpillSeam["saveText"]>[0]): Promise<Stored> {
    const session = createHash("sha256").update(owner.sessionId).digest("hex").slice(0, 12);
    const path = `${this.folder}/session-${session}/${randomBytes(6).toString("hex")}-${segment(suggestedName)}`;
    const files = this.fs.for(owner);
    await files.writeText(await files.resolve(path), content, { kind: "createIfAbsent" });
    return { locator: path, hint: "Use read with offset and limit, or grep, on that path." };
  }
}

/** One path segment, whatever the name was. */
function segment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "_");
  return plain.slice(-80) || "result.txt";
}
