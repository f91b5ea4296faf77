import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { attachmentLimits, type ErrorCode, isAppError } from "@gantry/contracts";
import sharp from "sharp";
import { fitBytes } from "../src/images/fit-bytes.ts";
import { inTurn } from "../src/images/gate.ts";
import { admitImage, imageTypeOf, requestVariant } from "../src/images.ts";

const flat = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 60, alpha: 1 } } });
/** A picture that no encoder gets small. */
const noise = (width: number, height: number) => {
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0, state = 1; at < data.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    data[at] = state >>> 16;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
};
const refusedWith = (code: ErrorCode) => (error: unknown) => isAppError(error, code);

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
/** A small file that says it is large: one bit a pixel, all zero. */
function pngBomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", head),
    pngChunk("IDAT", data),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

test("EX-173 a side at the limit is accepted, one pixel more is not", async () => {
  const { maxSide } = attachmentLimits;
  const { width, original } = await admitImage(await flat(maxSide, 3).png().toBuffer());
  assert.deepEqual([width, original], [2_048, { width: maxSide, height: 3 }]);
  await assert.rejects(
    admitImage(
      await flat(maxSide + 1, 3)
        .png()
        .toBuffer(),
    ),
    refusedWith("IMAGE_DIMENSION_TOO_LARGE"),
  );
  await assert.rejects(
    admitImage(
      await flat(3, maxSide + 1)
        .jpeg()
        .toBuffer(),
    ),
    refusedWith("IMAGE_DIMENSION_TOO_LARGE"),
  );
});

test("EX-173 a pixel bomb is refused before it is decoded", async () => {
  const bomb = pngBomb(8_100, 8_100);
  assert.ok(bomb.length < 20_000, `${bomb.length} bytes`);
  const before = process.cpuUsage();
  await assert.rejects(admitImage(bomb), refusedWith("IMAGE_TOO_MANY_PIXELS"));
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 100_000, `${user + system} µs of work`);
});

test("EX-175 a clean image stays byte for byte", async () => {
  for (const image of [
    flat(40, 30).png(),
    noise(64, 48).jpeg(),
    noise(64, 48).jpeg({ progressive: true }),
    flat(40, 30, 4).webp(),
    noise(40, 30).webp({ lossless: true }),
  ]) {
    const bytes = await image.toBuffer();
    const admitted = await admitImage(bytes);
    assert.ok(admitted.bytes.equals(bytes), `${imageTypeOf(bytes)}`);
    assert.equal(admitted.original, undefined);
  }
});

test("EX-175 a PNG of 16 bits becomes one of 8", async () => {
  const deep = await noise(20, 10).toColourspace("rgb16").png().toBuffer();
  assert.equal((await sharp(deep).metadata()).depth, "ushort");
  const { bytes, width, height } = await admitImage(deep);
  const { depth } = await sharp(bytes).metadata();
  assert.deepEqual([depth, width, height], ["uchar", 20, 10]);
});

test("EX-175 of an animation the first frame stays, as PNG", async () => {
  const frames = Buffer.concat([Buffer.alloc(8 * 8 * 3, 10), Buffer.alloc(8 * 8 * 3, 250)]);
  const animation = sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } });
  for (const bytes of [await animation.clone().gif().toBuffer(), await animation.clone().webp({ lossless: true }).toBuffer()]) {
    assert.equal((await sharp(bytes).metadata()).pages, 2);
    const kept = await admitImage(bytes);
    assert.deepEqual([kept.mediaType, kept.width, kept.height], ["image/png", 8, 8]);
    const { data } = await sharp(kept.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.equal(data[0], 10);
  }
});

test("a picture is turned upright, and what the camera wrote about it is gone", async () => {
  const exif = { IFD0: { Copyright: "SECRET-PLACE" } };
  const bytes = await noise(60, 20).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const tagged = await sharp(bytes).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const kept = await admitImage(tagged);
  assert.deepEqual([kept.width, kept.height, kept.original], [20, 60, undefined]);
  const { exif: left, orientation } = await sharp(kept.bytes).metadata();
  assert.deepEqual([left, orientation], [undefined, undefined]);
});

test("a long picture is made smaller and says what it was", async () => {
  const kept = await admitImage(await noise(3_000, 1_000).jpeg().toBuffer());
  assert.deepEqual([kept.width, kept.height, kept.original], [2_048, 683, { width: 3_000, height: 1_000 }]);
  assert.ok(kept.bytes.length <= 4 * 1024 * 1024);
  assert.equal(kept.mediaType, "image/jpeg");
});

test("drawings prefer PNG, transparent pictures WebP", async () => {
  const drawing = await admitImage(await flat(2_100, 20).jpeg().toBuffer());
  assert.equal(drawing.mediaType, "image/png");
  const alpha = await noise(2_100, 400).ensureAlpha(0.5).png().toBuffer();
  assert.equal((await admitImage(alpha)).mediaType, "image/webp");
  const opaque = await noise(2_100, 400).ensureAlpha(1).png().toBuffer();
  assert.equal((await admitImage(opaque)).mediaType, "image/jpeg", "an alpha that hides nothing is dropped");
});

test("what rides along behind or inside a picture does not survive", async () => {
  const page = Buffer.from("<script>alert(1)</script>PK\u0003\u0004");
  const png = await flat(10, 10).png().toBuffer();
  const jpeg = await noise(10, 10).jpeg().toBuffer();
  const comment = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, page.length + 2]), page, jpeg.subarray(2)]);
  const chunk = Buffer.concat([png.subarray(0, 33), pngChunk("tEXt", page), png.subarray(33)]);
  const small = Buffer.concat([Buffer.from([0xff, 0xe0, 0, page.length + 8]), Buffer.from("JFXX\0\u0010"), page]);
  const thumbnail = Buffer.concat([jpeg.subarray(0, 2), small, jpeg.subarray(2)]);
  for (const bytes of [Buffer.concat([png, page]), Buffer.concat([jpeg, page]), comment, chunk, thumbnail]) {
    const kept = await admitImage(bytes);
    assert.ok(!kept.bytes.includes("script"), `${kept.mediaType}`);
    assert.deepEqual([kept.width, kept.height], [10, 10]);
  }
});

test("damaged, cut, empty and foreign files are refused each with its code", async () => {
  const png = await noise(50, 50).png().toBuffer();
  const jpeg = await noise(50, 50).jpeg().toBuffer();
  const webp = await noise(50, 50).webp().toBuffer();
  const gif = await noise(50, 50).gif().toBuffer();
  for (const bytes of [png, jpeg, webp, gif]) {
    for (const kept of [12, 20, 30, Math.floor(bytes.length / 2)]) {
      await assert.rejects(admitImage(bytes.subarray(0, kept)), refusedWith("INVALID_IMAGE"), `${imageTypeOf(bytes)} cut at ${kept}`);
    }
  }
  const damaged = Buffer.from(png);
  damaged.fill(0x55, 60, 200);
  await assert.rejects(admitImage(damaged), refusedWith("INVALID_IMAGE"));
  const foreign = ["", "%PDF-1.7", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF0000AVI ", "BM000000", "plain text"];
  for (const text of foreign) await assert.rejects(admitImage(Buffer.from(text)), refusedWith("UNSUPPORTED_IMAGE_TYPE"), text);
  await assert.rejects(admitImage(Buffer.alloc(attachmentLimits.maxImageBytes + 1)), refusedWith("IMAGE_TOO_LARGE"));
});

test("a name that promises another format is refused with the right ending", async () => {
  const bytes = await flat(10, 10).png().toBuffer();
  await assert.rejects(
    admitImage(bytes, { expected: "image/jpeg" }),
    (error) => isAppError(error, "IMAGE_TYPE_MISMATCH") && /\.png/.test(error.message),
  );
  assert.equal((await admitImage(bytes, { expected: "image/png" })).mediaType, "image/png");
});

test("no byte of a picture makes its reader throw anything but a refusal", async () => {
  const sources = [await noise(12, 9).png().toBuffer(), await noise(12, 9).jpeg().toBuffer(), await noise(12, 9).webp().toBuffer()];
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  for (let round = 0; round < 150; round++) {
    const bytes = Buffer.from(sources[round % sources.length] ?? []);
    for (let change = 0; change <= random(4); change++) bytes[random(Math.min(bytes.length, 120))] = random(256);
    await admitImage(bytes).then(
      ({ width, height }) => assert.ok(width <= attachmentLimits.maxSide && height <= attachmentLimits.maxSide),
      (error) => assert.ok(isAppError(error), String(error)),
    );
  }
});

test("a request gets at most 640,000 pixels and 1 MiB; a small image goes as it is", async () => {
  const small = await admitImage(await flat(100, 100).png().toBuffer());
  assert.equal(await requestVariant(small), small);
  const photo = await requestVariant(await admitImage(await noise(2_000, 1_500).jpeg({ quality: 75 }).toBuffer()));
  assert.ok(photo.width * photo.height <= 640_000 && photo.width * photo.height > 300_000, `${photo.width} × ${photo.height}`);
  assert.ok(photo.bytes.length <= 1024 * 1024);
  assert.deepEqual((await sharp(photo.bytes).metadata()).width, photo.width);
  const again = await requestVariant(await admitImage(await noise(2_000, 1_500).jpeg({ quality: 75 }).toBuffer()));
  assert.ok(again.bytes.equals(photo.bytes), "the same image gives the same bytes, so that a prefix stays cached");
});

test("a process works on two pictures at a time; a failure gives its place back", async () => {
  let [running, most] = [0, 0];
  const jobs = Array.from({ length: 12 }, (_, at) =>
    inTurn(async () => {
      most = Math.max(most, ++running);
      await flat(50, 50).png().toBuffer();
      running--;
      if (at % 3 === 0) throw new Error("broken");
      return at;
    }),
  );
  const ends = await Promise.allSettled(jobs);
  assert.deepEqual([most, ends.filter(({ status }) => status === "rejected").length], [2, 4]);
  assert.equal(await inTurn(async () => "free"), "free");
});

test("the first form that fits is taken, and a picture that never fits is told so", async () => {
  const { data, info } = await noise(60, 40).raw().toBuffer({ resolveWithObject: true });
  const pixels = { data, width: info.width, height: info.height, channels: 3 as const };
  const good = await fitBytes(pixels, { maxBytes: 1_000_000, qualities: [85, 10] });
  const lean = await fitBytes(pixels, { maxBytes: (good?.bytes.length ?? 0) - 1, qualities: [85, 10] });
  assert.deepEqual([good?.width, lean?.width, lean?.mediaType], [60, 60, "image/jpeg"], "quality goes before size");
  const small = await fitBytes(pixels, { maxBytes: 360, qualities: [10] });
  assert.ok(small && small.width < 60 && small.bytes.length <= 360);
  assert.equal(await fitBytes(pixels, { maxBytes: 10, qualities: [10] }), null);
});
