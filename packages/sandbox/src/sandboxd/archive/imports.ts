import type { OpArgs, OpResult } from "../../protocol/ops.ts";
import { Failure } from "../failure.ts";

export class Imports {
  open(_args: OpArgs["archive.open"]): string {
    throw new Failure("INTERNAL", "not yet");
  }
  async add(_id: string, _data: Buffer): Promise<OpResult<"archive.data">> {
    return {};
  }
  async finish(_id: string): Promise<OpResult<"archive.end">> {
    return { entries: 0, bytes: 0 };
  }
  async abort(_id: string): Promise<OpResult<"archive.abort">> {
    return {};
  }
}
