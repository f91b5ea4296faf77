import { type Context, type Disposer, NamedEntries, ScopedLayers, Service } from "@gantry/kernel";
import type { Agent } from "../loop/agent.ts";
import { execute } from "./execute.ts";
import type { CommandCall, CommandOutcome, HumanCommand } from "./types.ts";

declare module "@gantry/kernel" {
  interface Context {
    commands: Commands;
  }
  interface Events {
    /** Emit: commands were added or removed. */
    "commands/change"(): void;
  }
}

/** Service `commands`: what people can ask for with a slash. Registrations land in the caller's scope; of one name the nearest wins (CMD-5). */
export class Commands extends Service {
  private readonly layers: ScopedLayers<{ commands: NamedEntries<HumanCommand> }>;

  constructor(ctx: Context) {
    super(ctx, "commands");
    this.layers = new ScopedLayers({ create: () => ({ commands: new NamedEntries() }), changed: () => ctx.emit("commands/change") });
  }

  /** @throws KernelError NAME_TAKEN; TypeError for a name that nobody could write */
  register(command: HumanCommand): Disposer {
    if (!/^[a-z][a-z0-9-]*$/.test(command.name)) throw new TypeError(`"${command.name}" is no name for a command`);
    return this.layers.register(this.ctx, `commands.register(${command.name})`, (layer) => layer.commands.add(command.name, command));
  }

  list(agent: Agent): HumanCommand[] {
    return [...this.layers.named(agent.scope, (layer) => layer.commands).values()];
  }

  find(name: string, agent: Agent): HumanCommand | null {
    return this.layers.named(agent.scope, (layer) => layer.commands).get(name) ?? null;
  }

  /** Runs a command and logs its begin and end (CMD-2). Undefined, and nothing logged: there is none of that name. @throws what the handler threw */
  async execute(agent: Agent, call: CommandCall, signal: AbortSignal): Promise<CommandOutcome | undefined> {
    const command = this.find(call.name, agent);
    return command ? execute(command, { ...call, agent, signal }) : undefined;
  }
}
