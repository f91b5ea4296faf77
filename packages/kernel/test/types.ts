import { type Context, createScope, declareScopedEvent, definePlugin, mount, type Scoped, Service, scopeTarget } from "@gantry/kernel";
import { z } from "zod";

/** KN-026, the part that the compiler proves: compiled with the repository, never run. Each expected error must be one. */

class Bell extends Service {
  constructor(ctx: Context) {
    super(ctx, "testBell");
  }
  ring(times: number): string {
    return "!".repeat(times);
  }
}
class Visit {
  readonly guest = "";
}

declare module "@gantry/kernel" {
  interface Context {
    testBell: Bell;
  }
  interface Events {
    /** emit */
    "test/rang"(times: number): void;
    /** waterfall, scope-filtered by the visit */
    "test/enter"(this: Scoped<Visit>, visit: Visit, next: () => Promise<boolean>): Promise<boolean>;
  }
}

export const needsConfig = definePlugin({
  name: "needs-config",
  inject: ["testBell"],
  Config: z.object({ times: z.number(), loud: z.boolean().default(false) }),
  apply(ctx, config) {
    ctx.testBell.ring(config.times) satisfies string;
    config.loud satisfies boolean;
    // @ts-expect-error a field that the schema does not have
    config.quiet;
  },
});
export const bare = { name: "bare", apply(_ctx: Context) {} };
export const allDefaults = definePlugin({ name: "all-defaults", Config: z.object({ n: z.number().default(1) }), apply() {} });

export async function check(ctx: Context, visit: Visit): Promise<void> {
  ctx.emit("test/rang", 2);
  // @ts-expect-error unknown event
  ctx.emit("test/rung", 2);
  // @ts-expect-error wrong argument
  ctx.emit("test/rang", "twice");
  // @ts-expect-error missing argument
  ctx.emit("test/rang");
  // @ts-expect-error wrong listener argument
  ctx.on("test/rang", (times: string) => times);

  const entered: boolean = await ctx.waterfall(scopeTarget(visit), "test/enter", visit, async () => true);
  entered satisfies boolean;
  // @ts-expect-error missing carrier
  ctx.waterfall("test/enter", visit, async () => true);
  // @ts-expect-error a carrier is made by scopeTarget, not by hand
  ctx.waterfall({ key: visit }, "test/enter", visit, async () => true);
  // @ts-expect-error a carrier of something else
  ctx.waterfall(scopeTarget({ other: 1 }), "test/enter", visit, async () => true);
  ctx.on("test/enter", function (seen, next) {
    this.key satisfies Visit | undefined;
    seen.guest satisfies string;
    return next();
  });
  declareScopedEvent(ctx, "test/enter", (seen) => seen);
  // @ts-expect-error not a scope-filtered event
  declareScopedEvent(ctx, "test/rang");

  mount(ctx, needsConfig, { times: 3 });
  // @ts-expect-error wrong config
  mount(ctx, needsConfig, { times: "3" });
  // @ts-expect-error config is required
  mount(ctx, needsConfig);
  mount(ctx, allDefaults);
  mount(ctx, bare);
  // @ts-expect-error takes no config
  mount(ctx, bare, { times: 1 });
  mount(ctx, Bell);

  // @ts-expect-error a generator is no plugin body (K-17)
  mount(ctx, { name: "generator", *apply(_ctx: Context) {} });

  ctx.get("testBell")?.ring(1);
  // @ts-expect-error optional services may be absent
  ctx.get("testBell").ring(1);
  // @ts-expect-error not a service
  ctx.provide("emit", () => {});
  // @ts-expect-error the unsafe surface of cordis is not there (2.8)
  ctx.root;
  // @ts-expect-error plugins are mounted with mount()
  ctx.plugin(bare);
  // @ts-expect-error a handle is no promise (K-6)
  mount(ctx, bare).then;

  createScope(ctx, visit).ctx.testBell.ring(1);
}
