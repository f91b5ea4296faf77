import { Context as CordisContext } from "@deepseek-ai/cordis";
import { type RawContext, rootKey } from "../raw.ts";

type Isolate = (this: RawContext, name: string, label?: symbol) => RawContext;
const { isolate: cordisIsolate } = CordisContext.prototype as unknown as { isolate: Isolate };

/** Realms by label, then by the name that resolves in them. Labels that anybody can make again (`Symbol.for`) are kept as long as the root. */
export class LabelledRealms {
  private readonly own = new WeakMap<symbol, Map<string, symbol>>();
  private readonly shared = new Map<symbol, Map<string, symbol>>();

  of(label: symbol, name: string): symbol {
    const table = Symbol.keyFor(label) === undefined ? this.own : this.shared;
    const names = table.get(label) ?? new Map<string, symbol>();
    table.set(label, names);
    const realm = names.get(name) ?? Symbol(name);
    names.set(name, realm);
    return realm;
  }
}

/** A label denotes one realm for each name (K-22). Cordis takes it as the realm itself, so that two services under one label were taken for each other. */
export const isolate: Isolate = function (name, label) {
  return cordisIsolate.call(this, name, label === undefined ? undefined : this[rootKey].labelledRealms.of(label, name));
};
