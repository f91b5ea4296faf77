import type { VariantImage } from "@gantry/agent";
import type { OrgId } from "@gantry/contracts";

/** `bytes`: 0 until the image is there */
type Entry = { readonly orgId: OrgId; readonly image: Promise<VariantImage>; bytes: number };

/**
 * Images as requests send them, kept in memory because a conversation sends the same ones with each step. One for each worker, so that its bytes are bounded
 * for all its orgs together; an org sees its own entries only, and they go with its roots (M-4).
 */
export class VariantCache {
  private readonly maxBytes: number;
  /** used last at the end */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** One piece of work for all who ask at the same time; what was used longest ago goes first. A failure is not kept. */
  get(orgId: OrgId, id: string, make: () => Promise<VariantImage>): Promise<VariantImage> {
    const key = `${orgId}/${id}`;
    const known = this.entries.get(key);
    const entry = known ?? { orgId, image: make(), bytes: 0 };
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (!known) this.count(key, entry);
    return entry.image;
  }

  forget(orgId: OrgId): void {
    for (const [key, entry] of this.entries) if (entry.orgId === orgId) this.drop(key, entry);
  }

  /** One that was dropped while it was made counts for nothing. */
  private count(key: string, entry: Entry): void {
    const isKept = () => this.entries.get(key) === entry;
    entry.image.then(
      ({ bytes }) => {
        if (!isKept()) return;
        entry.bytes = bytes.length;
        this.bytes += entry.bytes;
        this.shrink();
      },
      () => {
        if (isKept()) this.entries.delete(key);
      },
    );
  }

  private shrink(): void {
    for (const [key, entry] of this.entries) {
      if (this.bytes <= this.maxBytes) return;
      this.drop(key, entry);
    }
  }

  private drop(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }
}
