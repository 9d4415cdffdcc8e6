/**
 * Joins the chunks of a body as they arrive. A list of the chunks would need about 100 bytes for each, however short it
 * is: 200 MB for a body of 1 MiB that arrives one byte at a time.
 */
export class GrowingBuffer {
  /** The first chunk itself, until there is another one: most bodies have only one, and are not copied. */
  private content: Buffer = Buffer.alloc(0);
  private used = 0;

  get length(): number {
    return this.used;
  }

  append(chunk: Buffer): void {
    const length = this.used + chunk.length;
    if (this.used === 0) this.content = chunk;
    else {
      if (length > this.content.length) this.content = enlarged(this.bytes, Math.max(length, 2 * this.used));
      chunk.copy(this.content, this.used);
    }
    this.used = length;
  }

  /** What was appended, without a copy. */
  get bytes(): Buffer {
    return this.content.subarray(0, this.used);
  }
}

function enlarged(content: Buffer, capacity: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  content.copy(larger);
  return larger;
}
