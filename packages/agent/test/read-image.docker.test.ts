import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type EventData, textsOf } from "@gantry/contracts";
import type { World } from "@gantry/sandbox";
import { skip, useBench } from "@gantry/sandbox/testing";
import { afterResult } from "@gantry/testing";
import { pngImage } from "@gantry/testing/png-image";
import { dataOf, testAgent, until } from "./support/agent.ts";
import { memoryAttachments } from "./support/attachments.ts";

const rows = [
  { id: "fs-observation-policy", name: "fs-observation-policy" },
  { id: "tool-fs", name: "tool-fs" },
];
const blockOf = ({ message }: EventData<"tool/result">) => {
  const [block] = message.content;
  return block?.type === "tool-result" ? block : assert.fail();
};

describe("read_image in a world", { skip }, () => {
  const bench = useBench();
  let world: World;
  before(async () => {
    world = await bench.open();
    const put = (path: string, bytes: Buffer) => `printf %s '${bytes.toString("base64")}' | base64 -d > ${path}`;
    const whole = pngImage(40, 30, 9);
    const setup = [
      "cd /workspace && mkdir folder.png",
      put("shot.png", whole),
      put("blob", whole),
      put("named.jpg", whole),
      put("cut.png", whole.subarray(0, whole.length - 20)),
      put("wide.png", pngImage(4_096, 16)),
      "head -c 21000000 /dev/zero > huge.png",
      "echo words > words",
      "ln -s shot.png link.png",
    ];
    const end = await world.proc.run({ argv: ["bash", "-c", setup.join("\n")], timeoutMs: 30_000, capture: { maxBytes: 10_000 } });
    assert.equal(end.exitCode, 0, end.stderr.text);
  });

  test("images come back as images, and everything else as the error that says what to do", async (t) => {
    const paths = [
      "shot.png",
      "blob",
      "link.png",
      "wide.png",
      "named.jpg",
      "cut.png",
      "huge.png",
      "words",
      "folder.png",
      "none.png",
      "notes.md",
    ];
    const calls = paths.map((file_path) => ({ name: "read_image", arguments: { file_path } }));
    const memory = memoryAttachments();
    const { agent, model, say } = await testAgent(t, {
      script: ({ messages }) => (messages.some(({ role }) => role === "tool") ? { text: "seen" } : { toolCalls: calls }),
      model: "gpt-4o",
      rows,
      world: async () => world,
      attachments: memory.store,
    });
    say("look at all");
    await until(() => dataOf(agent, "turn/end").length === 1, "the turn");
    const results = dataOf(agent, "tool/result");
    assert.deepEqual(
      results.map(
        (result) =>
          result.error?.code ??
          (blockOf(result).isError
            ? "error"
            : blockOf(result)
                .content.map(({ type }) => type)
                .join("+")),
      ),
      [
        ...["text+image", "text+image", "text+image", "text+image"],
        ...["IMAGE_TYPE_MISMATCH", "INVALID_IMAGE", "FS_TOO_LARGE", "UNSUPPORTED_IMAGE_TYPE"],
        ...["FS_NOT_REGULAR_FILE", "FS_NOT_FOUND", "UNSUPPORTED_IMAGE_TYPE"],
      ],
    );
    const [shot = assert.fail(), , , wide = assert.fail(), named = assert.fail()] = results;
    assert.equal(
      textsOf(blockOf(shot).content)[0],
      `<path>/workspace/shot.png</path>\n<type>image</type>\n<content>\nimage/png image, 40x30 px, ${pngImage(40, 30, 9).length} bytes\n</content>`,
    );
    assert.match(textsOf(blockOf(wide).content)[0] ?? "", /2048x8 px, \d+ bytes\n\(downscaled from 4096x16; multiply coordinates by 2\.00/);
    assert.match(textsOf(blockOf(named).content)[0] ?? "", /\.png/, "the right ending is named");
    assert.deepEqual(Object.keys(shot.meta as object).sort(), ["attachmentId", "height", "mediaType", "name", "path", "type", "width"]);
    const seen = dataOf(agent, "fs/observed").map(({ target, state }) => `${state} ${target}`);
    assert.ok(seen.includes("present /workspace/shot.png") && seen.includes("absent /workspace/none.png"), seen.join());
    const answered = model.requests.at(-1) ?? assert.fail();
    const last = answered.messages.at(-1);
    assert.equal(last?.role === "user" && last.images, 4, "behind the results of the batch");
  });

  test("a model without eyes is told so before any file is read", async (t) => {
    const memory = memoryAttachments();
    const { agent, say } = await testAgent(t, {
      script: afterResult({
        start: { toolCalls: [{ name: "read_image", arguments: { file_path: "none.png" } }] },
        read_image: { text: "so be it" },
      }),
      rows,
      world: async () => world,
      attachments: memory.store,
    });
    say("look");
    await until(() => dataOf(agent, "turn/end").length === 1, "the turn");
    const [result = assert.fail()] = dataOf(agent, "tool/result");
    assert.equal(result.error?.code, "IMAGE_INPUT_UNSUPPORTED");
    assert.match(textsOf(blockOf(result).content)[0] ?? "", /the model test does not accept images/);
    assert.deepEqual(dataOf(agent, "fs/observed"), []);
  });
});
