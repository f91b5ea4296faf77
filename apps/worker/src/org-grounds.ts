import { type Composition, type Facts, providedServices } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { Env } from "@gantry/platform";
import type { SessionPreset } from "./load-session.ts";
import { factsOf, type OrgParts, orgComposition } from "./org-composition.ts";

/** What an org's sessions start on. */
export type OrgGround = {
  readonly composition: Composition;
  /** what its presets are composed with: facts, and the services of its root */
  readonly facts: Facts;
  readonly hostServices: ReadonlySet<string>;
  /** presets composed on it, by revision, which never changes */
  readonly presets: Map<string, SessionPreset>;
};

const maxOrgs = 400;

/** The composed orgs of a worker, so that a session's start composes only what has changed: a person waits for it. */
export class OrgGrounds {
  private readonly env: Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">;
  /** the org used last at the end */
  private readonly known = new Map<OrgId, { readonly stored: string; readonly ground: OrgGround }>();

  constructor(env: Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">) {
    this.env = env;
  }

  of(orgId: OrgId, { providers, layers, plan }: OrgParts): OrgGround {
    const stored = JSON.stringify([providers, layers, plan]);
    const last = this.known.get(orgId);
    const ground = last?.stored === stored ? last.ground : this.compose({ providers, layers, plan });
    this.known.delete(orgId);
    this.known.set(orgId, { stored, ground });
    const [oldest] = this.known.keys();
    if (this.known.size > maxOrgs && oldest !== undefined) this.known.delete(oldest);
    return ground;
  }

  private compose(parts: OrgParts): OrgGround {
    const composition = orgComposition(parts, this.env);
    const hostServices = providedServices(composition.rows);
    return { composition, facts: factsOf(parts.plan, this.env), hostServices, presets: new Map() };
  }
}
