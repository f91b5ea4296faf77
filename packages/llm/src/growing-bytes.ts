const firstBytes = 4_096;

/** UTF-8 text that only grows: what was handed out of it stays as it is. */
export class GrowingBytes {
  private room = Buffer.allocUnsafeSlow(firstBytes);
  private length = 0;

  add(text: string): void {
    const needed = this.length + Buffer.byteLength(text);
    if (needed > this.room.length) {
      const room = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.room.length));
      this.room.copy(room, 0, 0, this.length);
      this.room = room;
    }
    this.length += this.room.write(text, this.length);
  }

  /** All of it, without a copy. */
  get bytes(): Buffer {
    return this.room.subarray(0, this.length);
  }
}
