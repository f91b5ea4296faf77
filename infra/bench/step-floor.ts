// The floor of steps.ts and density.ts, forked by them: the least loop that does the same work. The same requests to the same model, as many
// durable events in the same batches, the same calls through sandboxd; no plugins, no tenancy, no validation, no live stream.
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { loadEnv } from "@gantry/platform";
import { createSandboxClient, type World } from "@gantry/sandbox";
import { Pool } from "pg";
import type { Batch } from "./support/written-batches.ts";

export type FloorWorld = { readonly orgId: string; readonly worldId: string; readonly sessionId: string; readonly workspaceId: string };
export type FloorRun = {
  readonly world: FloorWorld;
  /** what every request has before its messages: a JSON object without its closing brace */
  readonly head: string;
  readonly messages: readonly string[];
  /** the batches of a step of each tool, before and after its body */
  readonly batches: Readonly<Record<string, { before: Batch[]; after: Batch[] }>>;
};
export type FloorCall = { readonly id: number; readonly url: string } & (
  | { readonly kind: "open"; readonly worlds: readonly FloorWorld[] }
  | { readonly kind: "run"; readonly runs: readonly FloorRun[] }
);

const env = loadEnv();
const client = createSandboxClient({ socketPath: env.GANTRY_BROKER_SOCKET });
const worlds = new Map<string, World>();
const pool = new Pool({ connectionString: env.MIGRATION_DATABASE_URL, max: 5 });
const agent = new Agent({ keepAlive: true });
const insert = {
  name: "floor",
  text: "INSERT INTO floor_events SELECT $1, * FROM unnest($2::int[], $3::text[], $4::json[])",
};
await pool.query("CREATE TABLE IF NOT EXISTS floor_events (session_id uuid, seq int, type text, data json, PRIMARY KEY (session_id, seq))");

process.on("message", (call: FloorCall) => {
  const work = call.kind === "open" ? Promise.all(call.worlds.map(open)) : Promise.all(call.runs.map((run) => loop(call.url, run)));
  work.then(
    () => process.send?.({ id: call.id, error: null }),
    (error: Error) => process.send?.({ id: call.id, error: String(error.stack) }),
  );
});
process.once("disconnect", () => process.exit(0));
process.send?.({ id: 0, error: null });

async function open(place: FloorWorld): Promise<void> {
  const world = await client.openWorld({ ...place, epoch: 1, mode: "workspace-write" });
  await world.proc.run({ argv: ["true"], capture: { maxBytes: 1_000 } });
  worlds.set(place.worldId, world);
}

async function loop(url: string, { world: place, head, messages: first, batches }: FloorRun): Promise<void> {
  const world = worlds.get(place.worldId);
  if (!world) throw new Error("the world is not open");
  const messages = [...first];
  const session = randomUUID(); // a world may be used again
  let seq = 0;
  const write = async (list: readonly Batch[]) => {
    for (const batch of list) {
      const seqs = batch.map(() => seq++);
      await pool.query({
        ...insert,
        values: [session, seqs, batch.map(({ type }) => type), batch.map(({ data }) => JSON.stringify(data))],
      });
    }
  };
  for (;;) {
    const call = await ask(url, `${head},"messages":[${messages.join(",")}]}`);
    if (!call) return;
    const { before = [], after = [] } = batches[call.function.name] ?? {};
    messages.push(JSON.stringify({ role: "assistant", content: "", tool_calls: [call] }));
    await write(before);
    messages.push(JSON.stringify({ role: "tool", tool_call_id: call.id, content: await run(world, call) }));
    await write(after);
  }
}

type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };

async function run(world: World, { function: { name, arguments: text } }: ToolCall): Promise<string> {
  const args = JSON.parse(text) as { command: string; file_path: string };
  if (name === "bash") return (await world.proc.run({ argv: ["bash", "-c", args.command], capture: { maxBytes: 64_000 } })).stdout.text;
  const target = await world.fs.resolve(args.file_path);
  return (await world.fs.readWindow(target, { offset: 1, limit: 2_000, maxLineChars: 2_000, maxBytes: 50_000 })).lines.join("\n");
}

function ask(url: string, body: string): Promise<ToolCall | null> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(`${url}/chat/completions`, { method: "POST", agent, headers }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        answer += part;
      });
      response.once("end", () => resolve(callOf(answer)));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

function callOf(answer: string): ToolCall | null {
  let call: ToolCall | null = null;
  for (const line of answer.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const { choices } = JSON.parse(line.slice("data: ".length)) as { choices: { delta: { tool_calls?: Partial<ToolCall>[] } }[] };
    const [delta] = choices[0]?.delta.tool_calls ?? [];
    if (!delta?.function) continue;
    call ??= { id: delta.id ?? "", type: "function", function: { name: delta.function.name, arguments: "" } };
    call.function.arguments += delta.function.arguments;
  }
  return call;
}
