import type { MountRow } from "@gantry/compose";
import type { Context, ServiceName } from "@gantry/kernel";

/** The realms that the rows of one mounted composition share by label. Another composition's equal labels are other realms (G-10). */
export class Realms {
  private readonly labelled = new Map<string, symbol>();

  /** The context that the row, or what stands in the group, is mounted from: `true` is a realm of the row's own. */
  enter(ctx: Context, isolate: MountRow["isolate"] = {}): Context {
    return Object.entries(isolate).reduce(
      (at, [service, realm]) => at.isolate(service as ServiceName, realm === true ? undefined : this.labelOf(realm)),
      ctx,
    );
  }

  private labelOf(name: string): symbol {
    const known = this.labelled.get(name) ?? Symbol(name);
    this.labelled.set(name, known);
    return known;
  }
}
