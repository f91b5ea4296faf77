import { connect, createServer, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";
import type { Resolver } from "../../src/egress/dial.ts";
import { type EgressDecision, EgressGate, type EgressLimits, type EgressOptions } from "../../src/egress/gate.ts";
import { type DialedFrame, DialFrame, TunnelFrame } from "../../src/egress/tunnel-frames.ts";
import { ConnectProxy } from "../../src/sandboxd/egress/connect-proxy.ts";

type Frame = DialFrame | TunnelFrame | DialedFrame;
export type Pair = {
  proxy: ConnectProxy;
  gate: EgressGate;
  decisions: EgressDecision[];
  /** What the container's end has sent, in order. */
  sent: Frame[];
  /** The worker falls silent, as a dead one does. */
  silentMs: number;
};

/** Sockets of the test's programs: one that is not read never notices its end. */
const programs = new Set<Socket>();

/** Both ends of a world's way out in one process, joined by frames that travel as JSON, in order, later. */
export async function joinedEgress(
  t: TestContext,
  options: EgressOptions,
  parts: { resolve?: Resolver; limits?: Partial<EgressLimits> } = {},
): Promise<Pair> {
  const pair = { decisions: [] as EgressDecision[], sent: [] as Frame[], silentMs: 0 } as Pair;
  const post = (frame: Frame, take: (frame: unknown) => void) => {
    const line = JSON.stringify(frame);
    setImmediate(() => take(JSON.parse(line)));
  };
  pair.gate = new EgressGate(
    { ...options, onDecision: (decision) => pair.decisions.push(decision) },
    { send: (frame) => post(frame, (got) => pair.proxy.receive(got as DialedFrame | TunnelFrame)), ...parts },
  );
  pair.proxy = await ConnectProxy.listen(
    (frame) => {
      pair.sent.push(frame);
      post(frame, (got) => pair.gate.receive(frame.t === "dial" ? DialFrame.parse(got) : TunnelFrame.parse(got)));
    },
    () => pair.silentMs,
  );
  t.after(() => {
    for (const socket of programs) socket.destroy();
    pair.proxy.close();
    pair.gate.close();
  });
  return pair;
}

/** A server outside; its address as the policy and CONNECT name it. */
export async function outside(
  t: TestContext,
  onSocket: (socket: Socket) => void,
): Promise<{ port: number; authority: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { port, authority: `out.example:${port}`, sockets };
}

/** A program of the sandbox asks the proxy; answers the socket behind the head of the answer. */
export async function throughProxy(port: number, authority: string, early = ""): Promise<{ status: number; socket: Socket; rest: string }> {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  programs.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => programs.delete(socket));
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n${early}`);
  let text = "";
  while (!text.includes("\r\n\r\n")) {
    const chunk: Buffer | null = socket.read();
    if (chunk) text += chunk.toString("latin1");
    else if (socket.readableEnded || socket.destroyed) throw new Error(`the proxy closed after: ${text}`);
    else await new Promise<void>((resolve) => ["readable", "end", "close"].forEach((name) => void socket.once(name, () => resolve())));
  }
  const at = text.indexOf("\r\n\r\n") + 4;
  return { status: Number(text.slice(9, 12)), socket, rest: text.slice(at) };
}

/** Everything until the other side ends. */
export async function readAll(socket: Socket, before = ""): Promise<string> {
  let text = before;
  for await (const chunk of socket) text += (chunk as Buffer).toString("latin1");
  return text;
}
