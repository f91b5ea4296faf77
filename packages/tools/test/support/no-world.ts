import type { Context } from "@gantry/kernel";
import { FsSeam, type SandboxFs, type SandboxProc, SubprocessSeam } from "@gantry/sandbox/seams";

class NoFs extends FsSeam {
  for(): SandboxFs {
    throw new Error("no file system in this test");
  }
}
class NoSubprocess extends SubprocessSeam {
  for(): SandboxProc {
    throw new Error("no processes in this test");
  }
}

/** Seams that refuse: for what a tool must decide before it touches a world. */
export const noWorld = {
  name: "no-world",
  apply(ctx: Context) {
    new NoFs(ctx);
    new NoSubprocess(ctx);
  },
};
