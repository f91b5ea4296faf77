import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Volumes } from "../src/broker/volumes.ts";
import { skip } from "./support/bench.ts";

/** Volumes on a host that cannot make an image until `mend` is called. */
function onBadDisk(allowUnquoted: boolean) {
  const dataDir = mkdtempSync(join(tmpdir(), "gantry-volumes-"));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  const inTheWay = join(dataDir, "volumes", `probe-${process.pid}.img.${process.pid}.tmp`);
  mkdirSync(inTheWay, { recursive: true });
  return { volumes: new Volumes({ dataDir, quotaMb: 8, allowUnquoted }), mend: () => rmSync(inTheWay, { recursive: true }) };
}

test("SC-R4 a host that could not bound a workspace for a while is asked again, so that tenants are not refused for ever", {
  skip,
}, async () => {
  const { volumes, mend } = onBadDisk(false);
  assert.equal(await volumes.canBound(), false);
  mend();
  assert.equal(await volumes.canBound(), true);
});

test("SC-R4 where workspaces without bounds were accepted the answer stays: a volume mounted later would hide their files", {
  skip,
}, async () => {
  const { volumes, mend } = onBadDisk(true);
  assert.equal(await volumes.canBound(), false);
  mend();
  assert.equal(await volumes.canBound(), false);
});
