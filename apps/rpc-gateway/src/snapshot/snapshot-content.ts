import { to as copyTo } from 'pg-copy-streams';
import { createManifest, startTableDigest } from './digest';
import { type Manifest, type Section } from './manifest';
import { type OpenSnapshot } from './open-snapshot';
import { type SnapshotTable, snapshotTables } from './snapshot-tables';

/** Ends the rows of a table. COPY escapes backslashes, so no row is the same. */
export const endOfRows = '\\.\n';

const lineFeed = 0x0a;

/** Produces the lines of a snapshot, uncompressed, at the pace of the reader. */
export class SnapshotContent {
  private readonly sections: Section[] = [];

  constructor(
    private readonly snapshot: OpenSnapshot,
    private readonly onSection: (section: Section) => void = () => undefined,
  ) {}

  async *chunks(): AsyncGenerator<Buffer, Manifest, undefined> {
    const { head, chainProperties } = this.snapshot;
    yield line(head);
    for (const table of snapshotTables) {
      yield line({ table: table.name, columns: table.columns });
      yield* this.rows(table);
      yield Buffer.from(endOfRows);
    }
    const manifest = createManifest(head, this.sections, {
      ids_are_hashes: chainProperties.idsAreHashes,
      has_producer_rewards: chainProperties.hasProducerRewards,
    });
    yield line(manifest);
    return manifest;
  }

  /** Reads everything for the digests alone. */
  async readManifest(signal: AbortSignal): Promise<Manifest> {
    const chunks = this.chunks();
    for (;;) {
      const { done, value } = await chunks.next();
      if (done === true) return value;
      signal.throwIfAborted();
    }
  }

  private async *rows({ name, columns, exportSql }: SnapshotTable): AsyncGenerator<Buffer, void, undefined> {
    const digest = startTableDigest();
    let rows = 0;
    const copied: AsyncIterable<Buffer> = this.snapshot.connection.client.query(copyTo(exportSql));
    for await (const chunk of copied) {
      digest.update(chunk);
      rows += countLineFeeds(chunk);
      yield chunk;
    }
    const section = { table: name, columns: [...columns], rows, sha256: digest.digest('hex') };
    this.sections.push(section);
    this.onSection(section);
  }
}

function line(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function countLineFeeds(chunk: Buffer): number {
  let count = 0;
  for (const byte of chunk) if (byte === lineFeed) count += 1;
  return count;
}
