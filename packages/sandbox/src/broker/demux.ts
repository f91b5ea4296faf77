import { Transform, type TransformCallback } from "node:stream";

const headerBytes = 8;
const stdout = 1;

/** The engine's multiplexed attach stream as the plain bytes of the container's stdout; stderr is dropped. */
export class StdoutDemux extends Transform {
  private held = Buffer.alloc(0);
  private left = 0;
  private isStdout = false;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    while (bytes.length > 0) {
      if (this.left === 0) {
        if (bytes.length < headerBytes) break;
        this.isStdout = bytes[0] === stdout;
        this.left = bytes.readUInt32BE(4);
        bytes = bytes.subarray(headerBytes);
        continue;
      }
      const piece = bytes.subarray(0, this.left);
      if (this.isStdout) this.push(piece);
      this.left -= piece.length;
      bytes = bytes.subarray(piece.length);
    }
    this.held = Buffer.from(bytes);
    done();
  }
}
