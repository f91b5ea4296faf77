import { Fiber } from "@deepseek-ai/cordis";
import type { RawFiber, RawImpl } from "../raw.ts";

type Refreshed = RawFiber & {
  /** what of the injected services can be used now */
  readonly _store: Readonly<Record<string, RawImpl | undefined>>;
  /** Starts, ends or renews the activation where the text differs from the present one's. */
  _setEpoch(epoch: string): void;
};
/** Cordis' text for no activation. */
const inactive = "__INACTIVE__";

/**
 * An activation belongs to the services that it started with (K-3). Cordis tells them apart by the plugins that provide them, so a plugin that withdrew a
 * service and provided another under its name left a consumer that was starting with the old one, whose resource was then closed under it.
 */
export function repairActivations(): void {
  const proto = Fiber.prototype as unknown as { _refresh(): void };
  proto._refresh = function (this: Refreshed) {
    const services = Object.keys(this.inject).map((name) => this._store[name]);
    this._setEpoch(services.includes(undefined) ? inactive : services.map((service) => `:${service?.serial}`).join(""));
  };
}
