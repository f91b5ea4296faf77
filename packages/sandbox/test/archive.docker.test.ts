import assert from "node:assert/strict";
import { randomFillSync, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { isAppError } from "@gantry/contracts";
import type { ArchiveFormat, World } from "../src/types.ts";
import { type TarEntry, tar, zip } from "./support/archives.ts";
import { say, skip, useBench } from "./support/bench.ts";

const mb = 1024 * 1024;
const limits = { maxBytes: 64 * mb };

describe("importing an archive", { skip }, () => {
  const bench = useBench({ quotaMb: 128 });
  let shared: Promise<World> | undefined;
  const empty = () => {
    shared ??= bench.open();
    return shared;
  };
  const load = (world: World, bytes: Buffer, format: ArchiveFormat) =>
    world.importArchive(Readable.from(pieces(bytes)), { format, limits });

  test("tar, tar.gz and zip arrive whole, without their single top folder, with modes and links", async () => {
    const entries: TarEntry[] = [
      { name: "top/", type: "directory" },
      { name: "top/src/run.sh", content: "#!/bin/sh\necho ran\n", mode: 0o755 },
      { name: "top/read me.txt", content: "hello\n" },
      { name: "top/link", type: "symlink", linkname: "src/run.sh" },
      { name: "top/src/up", type: "symlink", linkname: "../read me.txt" },
    ];
    const plain = await tar(entries);
    for (const [format, bytes] of [
      ["tar", plain],
      ["tar.gz", gzipSync(plain)],
      ["zip", zip(entries)],
    ] as const) {
      const world = await bench.open();
      const result = await load(world, bytes, format);
      assert.equal(result.bytes, Buffer.byteLength("#!/bin/sh\necho ran\nhello\n"), format);
      assert.equal(await say(world, "./link; cat src/up; ls -A | sort | tr '\\n' ' '"), "ran\nhello\nlink read me.txt src", format);
    }
  });

  const crafted: Record<string, () => Promise<[Buffer, ArchiveFormat, RegExp]> | [Buffer, ArchiveFormat, RegExp]> = {
    "an absolute path": async () => [await tar([{ name: "/etc/evil", content: "x" }], { raw: true }), "tar", /absolute path/],
    "a parent path": async () => [await tar([{ name: "a/../../evil", content: "x" }], { raw: true }), "tar", /leads out/],
    "a link to an absolute path": async () => [
      await tar([{ name: "a", type: "symlink", linkname: "/etc" }]),
      "tar",
      /points to an absolute/,
    ],
    "a link out of the root": async () => [await tar([{ name: "d/a", type: "symlink", linkname: "../../x" }]), "tar", /link leads out/],
    "a link out of the root through another link": async () => [
      await tar([
        { name: "p/q/l", type: "symlink", linkname: "../.." },
        { name: "p/q/m", type: "symlink", linkname: "l/../x" },
      ]),
      "tar",
      /link leads out/,
    ],
    "a link out of the stripped folder": async () => [
      await tar([
        { name: "top/", type: "directory" },
        { name: "top/a", type: "symlink", linkname: "../b" },
      ]),
      "tar",
      /link leads out/,
    ],
    "a write through a link of the archive": async () => [
      await tar([
        { name: "d", type: "symlink", linkname: "e" },
        { name: "d/file", content: "x" },
      ]),
      "tar",
      /below a file or a link/,
    ],
    "a file over a link": async () => [
      await tar([
        { name: "d", type: "symlink", linkname: "e" },
        { name: "d", content: "x" },
      ]),
      "tar",
      /same name/,
    ],
    "a hard link out of the archive": async () => [
      await tar([{ name: "h", type: "link", linkname: "../../etc/passwd" }], { raw: true }),
      "tar",
      /leads out/,
    ],
    "a device": async () => [await tar([{ name: "disk", type: "block-device" }]), "tar", /special file/],
    "a FIFO": async () => [await tar([{ name: "pipe", type: "fifo" }]), "tar", /special file/],
    "a setuid file": async () => [await tar([{ name: "su", content: "x", mode: 0o4755 }]), "tar", /setuid/],
    "a zip with a parent path": () => [zip([{ name: "../evil", content: "x" }]), "zip", /damaged/],
    "a zip with a link out": () => [zip([{ name: "l", type: "symlink", linkname: "../../etc/passwd" }]), "zip", /link leads out/],
    "a cut archive": async () => [gzipSync(await tar([{ name: "a", content: "x".repeat(5000) }])).subarray(0, 40), "tar.gz", /damaged/],
    "an archive cut inside of a file": async () => [
      gzipSync(await tar([{ name: "a", content: randomFillSync(Buffer.alloc(5000)) }])).subarray(0, 3000),
      "tar.gz",
      /damaged/,
    ],
    "something else": () => [Buffer.from("this is no archive at all, whatever its name says".repeat(40)), "tar.gz", /damaged/],
  };
  for (const [what, make] of Object.entries(crafted)) {
    test(`SC-F3 refused with nothing kept: ${what}`, async () => {
      const world = await empty();
      const [bytes, format, reason] = await make();
      await assert.rejects(load(world, bytes, format), (error) => isAppError(error, "ARCHIVE_REFUSED") && reason.test(error.message));
      assert.equal(await say(world, "ls -A; ls -d /evil /workspace/../evil 2>/dev/null; true"), "");
    });
  }

  test("SC-F4 bombs are stopped while they go off: gzip, zip, too many entries, too large", async () => {
    const world = await empty();
    const zeros = Buffer.alloc(40 * mb);
    const bombs: [Buffer, ArchiveFormat][] = [
      [gzipSync(await tar([{ name: "zeros", content: zeros }])), "tar.gz"],
      [zip([{ name: "zeros", content: zeros }]), "zip"],
      [gzipSync(await tar([{ name: "big", content: Buffer.alloc(70 * mb, randomUUID()) }])), "tar.gz"],
    ];
    const before = process.memoryUsage().rss;
    for (const [bytes, format] of bombs) {
      await assert.rejects(load(world, bytes, format), (error) => isAppError(error, "ARCHIVE_REFUSED"));
    }
    assert.ok(process.memoryUsage().rss - before < 50 * mb);
    const many = await tar(Array.from({ length: 60 }, (_, i) => ({ name: `f${i}`, content: "" })));
    const few = world.importArchive(Readable.from([many]), { format: "tar", limits: { ...limits, maxEntries: 50 } });
    await assert.rejects(few, (error) => isAppError(error, "ARCHIVE_REFUSED"));
    assert.equal(await say(world, "ls -A"), "");
  });

  test("SC-F3 an archive larger than the quota is QUOTA_EXCEEDED and leaves nothing", async () => {
    const small = await bench.open();
    await say(small, "head -c 100M /dev/zero > full");
    const archive = await tar([
      { name: "a/", type: "directory" },
      { name: "a/random", content: noise(40 * mb) },
    ]);
    await assert.rejects(load(small, archive, "tar"), (error) => isAppError(error, "QUOTA_EXCEEDED"));
    assert.equal(await say(small, "ls -A"), "full");
  });

  test("a name that is taken is a conflict before anything is moved; an aborted import leaves nothing", async () => {
    const world = await bench.open();
    await say(world, "echo mine > b");
    const archive = await tar([
      { name: "a", content: "theirs" },
      { name: "b", content: "theirs" },
    ]);
    await assert.rejects(load(world, archive, "tar"), (error) => isAppError(error, "CONFLICT"));
    const cancel = new AbortController();
    const source = Readable.from(
      (async function* () {
        yield archive.subarray(0, 600);
        cancel.abort(new Error("given up"));
        yield archive.subarray(600);
      })(),
    );
    await assert.rejects(world.importArchive(source, { format: "tar", limits, signal: cancel.signal }), /given up/);
    assert.equal(await say(world, "ls -A; cat b"), "b\nmine");
  });
});

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

function noise(bytes: number): Buffer {
  return randomFillSync(Buffer.alloc(bytes));
}
