// Preloaded into a process: whatever is not this machine cannot be reached, and each try is told. node --import …/no-egress.ts
import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";

const isHere = (host: string | undefined): boolean => host === undefined || /^(localhost|127\.|::1$)/.test(host);

function refuse(what: string): Error {
  console.log(`tried to reach ${what}`);
  return Object.assign(new Error(`no way out to ${what}`), { code: "ENETUNREACH" });
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [first] = args.flat() as [unknown];
  const host = typeof first === "object" && first !== null ? (first as { host?: string }).host : undefined;
  if (isHere(host)) return Reflect.apply(connect, this, args) as net.Socket;
  return this.destroy(refuse(host ?? ""));
} as typeof connect;

const { lookup } = dns;
dns.lookup = ((host: string, ...rest: unknown[]) => {
  if (isHere(host)) return Reflect.apply(lookup, dns, [host, ...rest]);
  (rest.at(-1) as (error: Error) => void)(refuse(host));
}) as typeof lookup;

dgram.createSocket = () => {
  throw refuse("a datagram's address");
};
