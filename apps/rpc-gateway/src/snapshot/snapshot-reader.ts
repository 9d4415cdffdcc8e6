import { SnapshotError } from './snapshot-error';
import { endOfRows } from './snapshot-content';

/** Maximum length of a line that is not a row. */
const maxLineBytes = 64 * 1_024;

const rowsEnd = Buffer.from(`\n${endOfRows}`);
const noRows = Buffer.from(endOfRows);

/** Splits an uncompressed snapshot into its lines and its rows, holding about one chunk in memory. */
export class SnapshotReader {
  private buffered: Buffer = Buffer.alloc(0);
  private readonly chunks: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** Returns the parsed JSON of the next line. @throws SnapshotError if the line is not JSON, too long or missing */
  async readJson(): Promise<unknown> {
    const line = await this.readLine();
    try {
      return JSON.parse(line);
    } catch (error) {
      throw new SnapshotError(
        'altered',
        `The snapshot is altered: ${JSON.stringify(line.slice(0, 40))} is not JSON`,
        error,
      );
    }
  }

  /**
   * Yields the rows of a table, in chunks that may end in the middle of a row.
   *
   * @throws SnapshotError if the snapshot ends before the rows do
   */
  async *rows(): AsyncGenerator<Buffer, void, undefined> {
    while (this.buffered.length < noRows.length) await this.fill();
    if (this.buffered.subarray(0, noRows.length).equals(noRows)) {
      this.take(noRows.length);
      return;
    }
    for (;;) {
      const end = this.buffered.indexOf(rowsEnd);
      if (end >= 0) {
        yield this.take(end + 1);
        this.take(noRows.length);
        return;
      }
      // The last bytes may be the beginning of the end.
      const bytesBeforeEnd = this.buffered.length - (rowsEnd.length - 1);
      if (bytesBeforeEnd > 0) yield this.take(bytesBeforeEnd);
      await this.fill();
    }
  }

  /** Checks that the snapshot has no further data. @throws SnapshotError if it does */
  async requireEnd(): Promise<void> {
    const { done } = await this.chunks.next();
    if (this.buffered.length > 0 || done !== true)
      throw new SnapshotError('altered', 'The snapshot is altered: data follows its last line');
  }

  private async readLine(): Promise<string> {
    for (;;) {
      const end = this.buffered.indexOf('\n');
      if (end >= 0) {
        const line = this.take(end).toString();
        this.take(1);
        return line;
      }
      if (this.buffered.length > maxLineBytes)
        throw new SnapshotError('not-a-snapshot', 'This is not a snapshot of a gateway: a line is too long');
      await this.fill();
    }
  }

  private take(bytes: number): Buffer {
    const taken = this.buffered.subarray(0, bytes);
    this.buffered = this.buffered.subarray(bytes);
    return taken;
  }

  /** Adds the next chunk of the source to the buffer. @throws SnapshotError if there is none */
  private async fill(): Promise<void> {
    const next = await this.chunks.next();
    if (next.done === true)
      throw new SnapshotError('truncated', 'The snapshot is truncated: it ends before its last line');
    this.buffered = this.buffered.length === 0 ? next.value : Buffer.concat([this.buffered, next.value]);
  }
}
