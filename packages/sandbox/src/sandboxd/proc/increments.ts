import { StringDecoder } from "node:string_decoder";

/** How often output goes out, and how much of it each time: a flood must not fill the connection. */
const intervalMs = 50;
const maxCharsPerInterval = 64 * 1024;

/** False when the piece was not sent. */
export type OutputListener = (stream: "stdout" | "stderr", text: string, lostBytes: number) => boolean;

/** Output as it comes, packed. What does not fit is counted as lost; the captured tail has it. */
export class Increments {
  private readonly send: OutputListener;
  private readonly streams = { stdout: emptyStream(), stderr: emptyStream() };
  private timer: NodeJS.Timeout | undefined;

  constructor(send: OutputListener) {
    this.send = send;
  }

  add(stream: "stdout" | "stderr", chunk: Buffer): void {
    const state = this.streams[stream];
    if (state.text.length >= maxCharsPerInterval) state.lost += chunk.length;
    else state.text += state.decoder.write(chunk);
    this.timer ??= setTimeout(() => this.flush(), intervalMs);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const stream of ["stdout", "stderr"] as const) {
      const state = this.streams[stream];
      if (state.text === "" && state.lost === 0) continue;
      const wasSent = this.send(stream, state.text, state.lost);
      state.lost = wasSent ? 0 : state.lost + Buffer.byteLength(state.text);
      state.text = "";
    }
  }
}

function emptyStream() {
  return { decoder: new StringDecoder("utf8"), text: "", lost: 0 };
}
