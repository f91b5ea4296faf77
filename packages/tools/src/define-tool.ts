import type { CallCard, Json, ToolContentBlock } from "@gantry/contracts";
import type { z } from "zod";
import type { ToolDefinition, ToolRisk, ToolRun } from "./registry/types.ts";
import { assertParameters, schemaOf } from "./schema/json-schema.ts";

/** A tool in its author's types. `parameters` and `output` are zod shapes; what the model sees is their JSON Schema. */
export type ToolSpec<P extends z.ZodObject, O extends z.ZodType> = {
  name: string;
  /** For the model, in its terms, in our own words. */
  description: string;
  parameters: P;
  output: O;
  execute(args: z.input<P>, run: ToolRun): Promise<z.input<O>>;
  /** Pure: what the model reads; a string is one text block. */
  render(value: z.input<O>, args: z.input<P>): string | ToolContentBlock[];
  /** Pure: data for the result card that the text does not carry. */
  presentationMeta?(value: z.input<O>, args: z.input<P>): Json | undefined;
  timeoutMs?: number;
  isConcurrencySafe?(args: z.input<P>): boolean;
  recovery?: "readonly" | "idempotent";
  risk?: ToolRisk;
  canRejoin?: boolean;
  presentCall?(args: Json): CallCard | null;
  presentResult?: ToolDefinition["presentResult"];
  finalizeContent?(content: readonly ToolContentBlock[]): readonly ToolContentBlock[];
};

/**
 * Makes a tool definition for the registry. Defaults in the shape are documentation for the model: a body gets the arguments as
 * they were sent, checked against the JSON Schema and nothing more.
 * @throws TypeError when a shape leaves the supported subset of JSON Schema
 */
export function defineTool<P extends z.ZodObject, O extends z.ZodType>(spec: ToolSpec<P, O>): ToolDefinition {
  const parameters = schemaOf(spec.parameters);
  assertParameters(parameters);
  // The pipeline has validated both values against these shapes' schemas before the casts below see them.
  const args = (value: Json) => value as z.input<P>;
  const output = (value: Json) => value as z.input<O>;
  const { presentationMeta, isConcurrencySafe } = spec;
  return {
    name: spec.name,
    description: spec.description,
    parameters,
    output: {
      schema: schemaOf(spec.output),
      render: (value, call) => {
        const shown = spec.render(output(value), args(call));
        return typeof shown === "string" ? [{ type: "text", text: shown }] : shown;
      },
      ...(presentationMeta && { presentationMeta: (value: Json, call: Json) => presentationMeta(output(value), args(call)) }),
    },
    execute: async (value, run) => (await spec.execute(args(value), run)) as Json,
    ...(spec.timeoutMs !== undefined && { timeoutMs: spec.timeoutMs }),
    ...(isConcurrencySafe && { isConcurrencySafe: (value: Json) => isConcurrencySafe(args(value)) }),
    ...(spec.recovery && { recovery: spec.recovery }),
    ...(spec.risk && { risk: spec.risk }),
    ...(spec.canRejoin && { canRejoin: true }),
    ...(spec.presentCall && { presentCall: spec.presentCall }),
    ...(spec.presentResult && { presentResult: spec.presentResult }),
    ...(spec.finalizeContent && { finalizeContent: spec.finalizeContent }),
  };
}
