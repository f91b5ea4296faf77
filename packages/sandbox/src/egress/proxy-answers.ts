import type { Dialed } from "./dial.ts";

type Answer = { status: number; text: string };
type Reason = Exclude<Dialed, { verdict: "allowed" }>["reason"];

export const overloaded: Answer = { status: 503, text: "This sandbox has as many connections as it may have. Close some and try again." };

/** For the program in the sandbox, as the HTTP answer to its CONNECT. */
const answers: { [R in Reason]: Answer } = {
  "not-a-host": { status: 403, text: "The address does not name a host. Connect by a host name." },
  address: { status: 403, text: "A sandbox may connect by host name only, not by an IP address." },
  "not-listed": { status: 403, text: "The network policy of this sandbox does not list this host." },
  port: { status: 403, text: "The network policy of this sandbox does not allow this port; it allows https (443)." },
  "private-address": { status: 403, text: "The host is inside a private network. A sandbox may connect to the public internet only." },
  "not-found": { status: 502, text: "The host was not found. Check its name." },
  unreachable: { status: 502, text: "The host does not accept connections." },
  timeout: { status: 504, text: "The host did not answer in time. Try again later." },
  aborted: { status: 503, text: "The connection was given up before it was made." },
};

export function answerOf(dialed: Dialed): Answer {
  return dialed.verdict === "allowed" ? { status: 200, text: "Connected" } : answers[dialed.reason];
}
