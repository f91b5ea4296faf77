import { attachmentLimits, ImageMediaType } from "@gantry/contracts";
import type { FsSeam } from "@gantry/sandbox/seams";
import { z } from "zod";
import type { AttachmentsSeam, GivenImage } from "../attachments/seam.ts";
import { defineTool } from "../define-tool.ts";
import { requireText } from "../guard-arguments.ts";
import { presentReadImageCall, presentReadImageResult } from "../present/read-image.ts";
import { ToolError } from "../registry/errors.ts";
import type { ToolDefinition } from "../registry/types.ts";
import { requireAgent } from "../require-agent.ts";
import { ImageValue, imageBlock, renderImage } from "./image-value.ts";
import type { Observed } from "./observed.ts";
import { regularFile } from "./regular-file.ts";

const parameters = z.object({
  file_path: z.string().describe("Image file to look at. A relative path starts at the session workspace."),
});

const description = `Shows you a PNG, JPEG, WebP or GIF file as an image.

- A file without an extension is taken by its content. Of an animation you see the first frame.
- Large images are made smaller for you, so there is no need to convert, crop or shrink one before you look at it; the result says by how much.
- Independent images can be read in one step. It needs a model that accepts images.`;

const byExtension: ReadonlyMap<string, NonNullable<GivenImage["expected"]>> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["webp", "image/webp"],
  ["gif", "image/gif"],
]);

/** The `read_image` tool (tools §9.4). Its schema does not depend on the model; whether the model takes images is asked before the file is touched. */
export function readImageTool(fs: FsSeam, attachments: AttachmentsSeam, observed: Observed): ToolDefinition {
  return defineTool({
    name: "read_image",
    risk: "read",
    recovery: "readonly",
    description,
    parameters,
    output: ImageValue,
    isConcurrencySafe: () => true,
    async execute({ file_path }, run) {
      requireText("file_path", file_path);
      const expected = expectedType(file_path);
      const agent = requireAgent(run);
      const refusal = attachments.refusal(agent);
      if (refusal) throw new ToolError("IMAGE_INPUT_UNSUPPORTED", refusal);
      const files = fs.for(agent);
      const { signal } = run;
      const { target, stat } = await regularFile(file_path, { files, observed, agent, signal });
      const path = target.displayPath;
      const { bytes } = await files.readBytes(target, attachmentLimits.maxImageBytes, { signal });
      const name = path
        .slice(path.lastIndexOf("/") + 1)
        .slice(0, attachmentLimits.maxNameChars)
        .toWellFormed();
      const saved = await attachments.saveImage(agent, { bytes, name, ...(expected ? { expected } : {}) });
      await observed.present(agent, target, stat.version);
      const { type: _, ...image } = saved.block;
      const value = { path, bytes: saved.bytes, ...image, ...(saved.original ? { original: saved.original } : {}) };
      // a program gets facts only; what it looked at reaches the model beside the program's own result
      if (run.execution.parentToken !== undefined) {
        run.defer({ content: renderImage(value), source: { kind: "plugin", plugin: "tool-fs", form: "relay", summary: `image ${name}` } });
      }
      return value;
    },
    render: renderImage,
    presentationMeta: (value) => ({ path: value.path, ...imageBlock(value) }),
    presentCall: presentReadImageCall,
    presentResult: presentReadImageResult,
  });
}

/** @throws ToolError for an extension that no image has; a name without one says nothing */
function expectedType(path: string): GivenImage["expected"] {
  const [, extension] = /[^/]\.([^./]*)$/.exec(path) ?? [];
  if (extension === undefined || extension === "") return undefined;
  const expected = byExtension.get(extension.toLowerCase());
  if (expected) return expected;
  const known = [...ImageMediaType.options, "image/gif"].map((type) => type.slice("image/".length)).join(", ");
  throw new ToolError("UNSUPPORTED_IMAGE_TYPE", `a file that ends in .${extension} is no image this tool shows; it shows ${known}`);
}
