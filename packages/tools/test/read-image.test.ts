import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttachmentId, Json } from "@gantry/contracts";
import type { Context } from "@gantry/kernel";
import { FsSeam, type SandboxFs } from "@gantry/sandbox/seams";
import { toolFs } from "../src/index.ts";
import { presentCall, presentResult } from "../src/present/index.ts";
import { testAgent } from "./support/agent.ts";
import { attachmentsPlugin } from "./support/attachments.ts";
import { call, textOf } from "./support/calls.ts";
import { noWorld } from "./support/no-world.ts";
import { openRoot } from "./support/root.ts";

/** Its world refuses everything: what is answered here was decided before any file was touched. */
async function open(t: { after(fn: () => Promise<void>): void }, plugin?: ReturnType<typeof attachmentsPlugin>, config = {}) {
  const root = await openRoot();
  t.after(() => root.close());
  await root.mount(noWorld);
  if (plugin) await root.mount(plugin);
  await root.mount(toolFs, config);
  const names = [...root.ctx.tools.view()].map(([name]) => name);
  const read = async (file_path: string) => {
    const outcome = await call(root.ctx, "read_image", { file_path }, { agent: testAgent() });
    return [outcome.error?.code, textOf(outcome)] as const;
  };
  return { names, read };
}

test("read_image is there only where attachments are kept, and where its row wants it", async (t) => {
  assert.ok(!(await open(t)).names.includes("read_image"));
  assert.ok((await open(t, attachmentsPlugin())).names.includes("read_image"));
  assert.ok(!(await open(t, attachmentsPlugin(), { readImage: false })).names.includes("read_image"));
});

test("what the name says is judged first, then whether the model takes images, then the file", async (t) => {
  const { read } = await open(t, attachmentsPlugin({ refusal: () => "the model m does not accept images" }));
  for (const path of ["", "  "]) assert.match((await read(path))[1], /file_path/);
  for (const path of ["a.svg", "a.png.txt", "dir.png/notes.md", "a.PDF"])
    assert.deepEqual((await read(path))[0], "UNSUPPORTED_IMAGE_TYPE", path);
  for (const path of ["a.png", "a.JPG", "a.jpeg", "a.WebP", "a.gif", "Makefile", ".hidden", "v1.2/blob", "ends."])
    assert.deepEqual(await read(path), ["IMAGE_INPUT_UNSUPPORTED", "Error: the model m does not accept images"], path);
});

test("a model that takes images gets as far as the file", async (t) => {
  const { read } = await open(t, attachmentsPlugin());
  assert.match((await read("a.png"))[1], /no file system in this test/);
});

test("§9.4 a program gets facts; the image reaches the model beside the program's result", async (t) => {
  const root = await openRoot();
  t.after(() => root.close());
  const attachmentId = "0a1b2c3d-0000-8000-8000-000000000001" as AttachmentId;
  const block = { type: "image", attachmentId, mediaType: "image/png", width: 4, height: 3, name: "a.png" } as const;
  await root.mount(attachmentsPlugin({ saveImage: async (_agent, { bytes }) => ({ block, bytes: bytes.length }) }));
  await root.mount({ name: "one-file", apply: (ctx: Context) => void new OneFile(ctx) });
  await root.mount(toolFs);
  const options = { agent: testAgent(), signal: new AbortController().signal, turn: 1, step: 1 };
  const outer = await root.ctx.tools.prepare({ callId: "outer", name: "read_image", arguments: '{"file_path":"a.png"}' }, options);
  const direct = await (await outer.run()).commit();
  assert.deepEqual([direct.content[1], direct.additionalContexts], [block, []]);
  const inner = { callId: "inner", name: "read_image", arguments: '{"file_path":"a.png"}' };
  const nested = await (await (await root.ctx.tools.prepare(inner, { ...options, parent: outer.execution })).run()).commit();
  assert.equal((nested.value as { attachmentId: string }).attachmentId, attachmentId);
  const [context] = nested.additionalContexts;
  assert.deepEqual(context?.content[1], block);
  assert.equal(context?.source.kind === "plugin" && context.source.form, "relay");
});

/** A world's files with one image in it. */
class OneFile extends FsSeam {
  for(): SandboxFs {
    const files: Partial<SandboxFs> = {
      resolve: async (path) => ({ targetKey: `/workspace/${path}`, displayPath: `/workspace/${path}` }),
      stat: async () => ({ type: "file", size: 3, version: "1" }),
      readBytes: async () => ({ bytes: Buffer.from("abc"), size: 3, version: "1" }),
    };
    return files as SandboxFs;
  }
}

test("EX-010 the cards of read_image come from the log alone and never throw", () => {
  const args = JSON.stringify({ file_path: "shots/a.png" });
  assert.deepEqual(presentCall("read_image", args), {
    card: "generic",
    title: "Read image shots/a.png",
    kind: "read",
    locations: [{ path: "shots/a.png" }],
  });
  const attachmentId = "0a1b2c3d-0000-8000-8000-000000000001" as AttachmentId;
  const meta = { path: "/workspace/shots/a.png", type: "image", attachmentId, mediaType: "image/png", width: 4, height: 3, name: "a.png" };
  const card = presentResult("read_image", args, "", meta, false);
  assert.deepEqual(card, { card: "image", path: "/workspace/shots/a.png", attachmentId, width: 4, height: 3 });
  const broken: (Json | undefined)[] = [undefined, null, {}, { ...meta, attachmentId: "../x" }, { ...meta, width: "4" }];
  for (const one of broken) assert.equal(presentResult("read_image", args, "", one, false), null);
  assert.equal(presentResult("read_image", args, "", meta, true), null);
  assert.equal(presentCall("read_image", '{"file_path":1}'), null);
});
