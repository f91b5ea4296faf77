// Rows 12 to 14 of the performance bars: delay of a token from publish to subscriber, and CPU for 1,000 tokens, ours against a PUBLISH a token, in one
// paired run within one process.  node --env-file=<services> infra/bench/feed.ts
import type { DeltaFrame } from "@gantry/contracts";
import { createFeedPublisher, createFeedSubscriber } from "@gantry/feed";
import { createRedis } from "@gantry/platform";
import { testEnv } from "@gantry/testing/test-env";

const tokensPerSecond = 100;
const seconds = 4;

testEnv();
const producer = createRedis("producer");
const pubsub = createRedis("pubsub");
const plain = createRedis("pubsub");

type Result = { p50: number; p99: number; cpu: number; received: number };

for (const sessions of [1, 200]) {
  const own = await measure(sessions, ownFeed(sessions));
  const limit = await measure(sessions, await publishEach());
  // with one session the pacing of this program is most of the CPU, so the ratio would say nothing
  const ratio = sessions > 1 ? `; CPU ratio ${(own.cpu / limit.cpu).toFixed(2)} (bar: 1.0, then 0.6)` : "";
  console.log(`${sessions} sessions: PUBLISH a token ${show(limit)}; feed ${show(own)}${ratio}`);
}
for (const redis of [producer, pubsub, plain]) redis.disconnect();

type Channel = { publish(session: number, token: string): void; onTokens(listener: (text: string) => void): void; ready(): Promise<void> };

function ownFeed(sessions: number): Channel {
  const publisher = createFeedPublisher(producer);
  const feed = createFeedSubscriber(pubsub);
  const offsets = new Map<number, number>();
  return {
    publish(session, text) {
      const offset = offsets.get(session) ?? 0;
      offsets.set(session, offset + text.length);
      publisher.publish("o", `s${session}`, delta(offset, text));
    },
    onTokens(listener) {
      for (let session = 0; session < sessions; session++)
        feed.subscribe("o", `s${session}`, (frame) => frame.kind === "delta" && listener(frame.run.text));
    },
    ready: () => feed.ready(),
  };
}

async function publishEach(): Promise<Channel> {
  await plain.subscribe("bench:plain");
  return {
    publish: (session, text) => void producer.publish("bench:plain", JSON.stringify({ session, frame: delta(0, text) })),
    onTokens: (listener) => plain.on("message", (_channel, message) => listener(JSON.parse(message).frame.run.text)),
    ready: async () => {},
  };
}

function delta(offset: number, text: string): DeltaFrame {
  return { kind: "delta", epoch: 1, turn: 1, step: 1, messageId: "m", run: { index: 0, block: "text", offset, text } };
}

async function measure(sessions: number, channel: Channel): Promise<Result> {
  const delays: number[] = [];
  channel.onTokens((text) => {
    const now = performance.now();
    for (const sent of text.split("|")) if (sent) delays.push(now - Number(sent));
  });
  await channel.ready();
  const cpu = process.cpuUsage();
  const start = performance.now();
  let sent = 0;
  for (let tick = 0; tick < seconds * tokensPerSecond; tick++) {
    // sessions do not stream in step: spread over the tick
    for (let slice = 0; slice < 10; slice++) {
      await until(start + (tick + slice / 10) * (1_000 / tokensPerSecond));
      for (let session = slice; session < sessions; session += 10) {
        channel.publish(session, `${performance.now()}|`);
        sent += 1;
      }
    }
  }
  await until(performance.now() + 100);
  const used = process.cpuUsage(cpu);
  if (delays.length !== sent) console.log(`lost ${sent - delays.length} of ${sent}`);
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), cpu: (used.user + used.system) / sent, received: delays.length };
}

async function until(time: number): Promise<void> {
  while (performance.now() < time) await new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
}

function show({ p50, p99, cpu }: Result): string {
  return `p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms, ${cpu.toFixed(1)} ms CPU for 1,000 tokens`;
}
