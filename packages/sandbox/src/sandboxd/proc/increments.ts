import { StringDecoder } from "node:string_decoder";

/** How often output goes out, and how much of it each time: a flood must not fill the connection. */
const intervalMs = 50;
const maxCharsPerInterval = 64 * 1024;

type Send = (stream: "stdout" | "stderr", text: string, lostBytes: number) => void;

/** Output as it comes, packed. What does not fit is counted as lost; the captured tail has it. */
export class Increments {
  private readonly send: Send;
  private readonly streams = { stdout: emptyStream(), stderr: emptyStream() };
  private timer: NodeJS.Timeout | undefined;

  constructor(send: Send) {
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
      this.send(stream, state.text, state.lost);
      state.text = "";
      state.lost = 0;
    }
  }
}

function emptyStream() {
  return { decoder: new StringDecoder("utf8"), text: "", lost: 0 };
}
