import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Tunnel } from "../../egress/tunnel.ts";
import type { DialedFrame, DialFrame, TunnelFrame } from "../../egress/tunnel-frames.ts";
import { maxTunnels } from "../../egress/tunnel-limits.ts";

type Send = (frame: DialFrame | TunnelFrame) => void;
type Visitor = { socket: Socket; head: Buffer; tunnel: Tunnel | null };

/** The customary port, so that a process that outlives its worker finds the next worker's proxy; another one when it is taken. */
const preferredPort = 3128;
/** A worker that has said nothing for so long is gone: its beat is every few seconds. */
export const silenceMs = 12_000;
const watchMs = 2_000;

/**
 * The way out of a world, as its processes see it: an HTTP proxy on loopback that knows CONNECT and nothing else. It decides nothing; each
 * connection is asked of the worker, which holds the policy. Lives as long as the worker's connection.
 */
export class ConnectProxy {
  private readonly server: Server;
  private readonly send: Send;
  private readonly visitors = new Map<number, Visitor>();
  private readonly watch: NodeJS.Timeout;
  private readonly silentForMs: () => number;
  private nextId = 1;

  private constructor(send: Send, silentForMs: () => number) {
    this.send = send;
    this.silentForMs = silentForMs;
    const limits = { headersTimeout: 10_000, requestTimeout: 10_000, maxHeaderSize: 8 * 1024, keepAlive: false };
    this.server = createServer(limits, (_request, response) => {
      response.writeHead(405, { "content-type": "text/plain", connection: "close" });
      response.end("This proxy connects to https hosts only (CONNECT).\n");
    });
    this.server.maxConnections = 2 * maxTunnels;
    this.server.on("connect", (request, socket, head) => this.visit(request, socket as Socket, head));
    this.server.on("clientError", (_error, socket) => void socket.destroy());
    this.watch = setInterval(() => {
      if (silentForMs() > silenceMs) this.resetAll();
    }, watchMs);
  }

  /** `silentForMs`: since the last line of the worker. */
  static async listen(send: Send, silentForMs: () => number): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(send, silentForMs);
    await proxy.bind(preferredPort).catch(() => proxy.bind(0));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  receive(frame: DialedFrame | TunnelFrame): void {
    const visitor = this.visitors.get(frame.id);
    if (!visitor) return; // it left a moment ago
    if (frame.t !== "dialed") visitor.tunnel?.receive(frame);
    else if (frame.status === 200) this.connect(frame.id, visitor);
    else {
      this.visitors.delete(frame.id);
      answer(visitor.socket, frame.status, frame.text);
    }
  }

  close(): void {
    clearInterval(this.watch);
    this.resetAll();
    this.server.close();
    this.server.closeAllConnections();
  }

  private bind(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, "127.0.0.1", () => {
        this.server.off("error", reject);
        resolve();
      });
    });
  }

  private visit(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const id = this.nextId++;
    socket.on("error", () => this.leave(id));
    const [, host, port] = /^\[?(.{1,300}?)\]?:(\d{1,5})$/.exec(request.url ?? "") ?? [];
    if (host === undefined || Number(port) > 65_535) answer(socket, 400, "The request does not name a host and a port.");
    else if (this.silentForMs() > silenceMs) answer(socket, 503, "Nobody is at the other end of this sandbox now. Try again later.");
    else if (this.visitors.size >= maxTunnels) answer(socket, 503, "This sandbox has as many connections as it may have.");
    else {
      this.visitors.set(id, { socket, head, tunnel: null });
      socket.on("close", () => this.leave(id));
      this.send({ t: "dial", id, host, port: Number(port) });
    }
  }

  private connect(id: number, visitor: Visitor): void {
    const { socket, head } = visitor;
    visitor.tunnel = new Tunnel(id, socket, { send: this.send, onEnd: () => void this.visitors.delete(id) });
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    visitor.tunnel.start(head);
  }

  /** The program gave up before the answer; afterwards the tunnel sees to it. */
  private leave(id: number): void {
    if (this.visitors.get(id)?.tunnel !== null) return;
    this.visitors.delete(id);
    this.send({ t: "reset", id });
  }

  private resetAll(): void {
    for (const [id, { socket, tunnel }] of this.visitors) {
      this.visitors.delete(id);
      if (tunnel) tunnel.reset();
      else answer(socket, 503, "The connection was given up before it was made.");
    }
  }
}

function answer(socket: Socket, status: number, text: string): void {
  const reasons: Record<number, string> = {
    400: "Bad Request",
    403: "Forbidden",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
  };
  const body = `${text}\n`;
  const head = `HTTP/1.1 ${status} ${reasons[status] ?? "Refused"}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  socket.end(head + body);
  socket.setTimeout(5_000, () => socket.destroy());
  socket.resume();
}
