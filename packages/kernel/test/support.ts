import { type Context, createRoot, type Handle, mount, type Root, type Scoped } from "@gantry/kernel";

export interface Line {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string | undefined;
}

/** A root whose log can be read. */
export function testRoot(options: { checks?: boolean; onTaint?: () => void } = {}): {
  root: Root;
  ctx: Context;
  lines: Line[];
  errors: () => Line[];
} {
  const lines: Line[] = [];
  const write = (level: string) => (fields: object, message?: string) => void lines.push({ level, fields: { ...fields }, message });
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const root = createRoot({ name: "test", logger, ...options });
  return { root, ctx: root.ctx, lines, errors: () => lines.filter((line) => line.message === "contained error") };
}

/** Runs `body` as a plugin's start, and hands out the plugin's context. */
export async function inPlugin(
  ctx: Context,
  body: (own: Context) => void | Promise<void> = () => {},
  inject: string[] = [],
): Promise<Handle> {
  const handle = mount(ctx, { name: "plugin", inject, apply: body });
  await handle.settled();
  return handle;
}

/** A promise to resolve by hand. */
export const gate = () => Promise.withResolvers<void>();

export interface Subject {
  readonly id: string;
}

declare module "@gantry/kernel" {
  interface Context {
    testShell: { readonly kind: string };
    testStore: { readonly kind: string };
  }
  interface Events {
    /** every mode, in tests */
    "test/ping"(value: number): unknown;
    // biome-ignore lint/suspicious/noMisleadingInstantiator: an event of this very name is the point
    constructor(value: number): unknown;
    toString(value: number): unknown;
    /** waterfall */
    "test/wrap"(input: string, next: () => string): string;
    /** emit, scope-filtered by the subject */
    "test/scoped"(this: Scoped<Subject>, subject: Subject | undefined): void;
  }
}
