import { randomBytes } from "node:crypto";
import type { OpArgs, OpResult } from "../../protocol/ops.ts";
import { Failure } from "../failure.ts";
import { Import } from "./import.ts";

/** The imports under way in this world, by their ids. */
export class Imports {
  private readonly running = new Map<string, Import>();

  open(args: OpArgs["archive.open"]): string {
    const id = randomBytes(9).toString("base64url");
    this.running.set(id, new Import(id, args));
    return id;
  }

  async add(id: string, bytes: Buffer): Promise<OpResult<"archive.data">> {
    await this.get(id).add(bytes);
    return {};
  }

  async finish(id: string): Promise<OpResult<"archive.end">> {
    try {
      return await this.get(id).finish();
    } finally {
      this.running.delete(id);
    }
  }

  async abort(id: string): Promise<OpResult<"archive.abort">> {
    await this.running.get(id)?.abort();
    this.running.delete(id);
    return {};
  }

  private get(id: string): Import {
    const found = this.running.get(id);
    if (!found) throw new Failure("BAD_REQUEST", "there is no such import");
    return found;
  }
}
