import type { Composition, Facts } from "@gantry/compose";
import type { OrgId } from "@gantry/contracts";
import type { LayerPointer } from "@gantry/db";
import type { Env } from "@gantry/platform";
import type { SessionPreset } from "./load-session.ts";
import { factsOf, type OrgParts, orgComposition } from "./org-composition.ts";

/** What an org's sessions start on. */
export type OrgGround = {
  readonly composition: Composition;
  /** the layers, their history and the plan, as one text */
  readonly stored: string;
  /** what its presets are composed with, besides the rows of its root */
  readonly facts: Facts;
  /** presets composed on it, by revision, which never changes */
  readonly presets: Map<string, SessionPreset>;
};

type Stored = OrgParts & { readonly pointer?: LayerPointer | null };

const maxOrgs = 400;

/** The composed orgs of a worker, so that a session's start composes only what has changed: a person waits for it. */
export class OrgGrounds {
  private readonly env: Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">;
  /** the org used last at the end */
  private readonly known = new Map<OrgId, { readonly stored: string; readonly ground: OrgGround }>();

  constructor(env: Pick<Env, "GANTRY_ALLOW_PRIVATE_HOSTS">) {
    this.env = env;
  }

  /** This worker has composed the org before, so that doing it again is quick. */
  knows(orgId: OrgId): boolean {
    return this.known.has(orgId);
  }

  of(orgId: OrgId, parts: Stored): OrgGround {
    const { providers, layers, plan, pointer } = parts;
    const stored = JSON.stringify([providers, layers, plan, pointer?.previous]);
    const last = this.known.get(orgId);
    const ground = last?.stored === stored ? last.ground : this.compose(parts);
    this.known.delete(orgId);
    this.known.set(orgId, { stored, ground });
    const [oldest] = this.known.keys();
    if (this.known.size > maxOrgs && oldest !== undefined) this.known.delete(oldest);
    return ground;
  }

  /** What a session starts on whose org stands on these parts. */
  compose({ providers, layers, plan, pointer }: Stored): OrgGround {
    const composition = orgComposition({ providers, layers, plan }, this.env);
    const stored = JSON.stringify([layers, plan, pointer?.previous]);
    return groundOf(composition, { stored, facts: factsOf(plan, this.env) });
  }
}

const groundOf = (composition: Composition, rest: Pick<OrgGround, "stored" | "facts">): OrgGround => ({
  ...rest,
  composition,
  presets: new Map(),
});

/** The ground of a session's start, or what is there instead when the root mounts another composition. */
export const groundOn = (ground: OrgGround, composition: Composition): OrgGround =>
  composition.hash === ground.composition.hash ? ground : groundOf(composition, ground);
