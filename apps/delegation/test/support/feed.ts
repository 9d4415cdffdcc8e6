import { type FollowedBlock } from '@waggle/chain';
import { Client } from 'pg';
import { applyBlocks } from '../../src/indexer/apply-blocks';
import { beginIndex } from '../../src/indexer/loading/begin-index';
import { createLogger } from '@waggle/service';

const none = () => undefined;

/** Applies blocks as the follower does: a batch per transaction. */
export class Feed {
  private isClosed = false;

  private constructor(private readonly client: Client) {}

  static async into(url: string): Promise<Feed> {
    const client = new Client({ connectionString: url, pipeline: true });
    await client.connect();
    return new Feed(client);
  }

  /** Begins an index of a chain that is followed from its first block on. */
  async begin(firstBlock = 1): Promise<void> {
    await beginIndex(this.client, new AbortController().signal, {
      config: { hive: { nodes: [] }, startFrom: 'first-block', firstBlock, pageSize: 1_000 },
      logger: createLogger('test', 'silent'),
      hiveObserver: { onOutcome: none, onNodeChange: none },
      onProgress: none,
    });
  }

  async apply(blocks: readonly FollowedBlock[], batchBlocks = blocks.length): Promise<void> {
    for (let first = 0; first < blocks.length; first += batchBlocks) {
      await this.client.query('BEGIN');
      await applyBlocks(this.client, blocks.slice(first, first + batchBlocks), blocks.at(-1)?.number ?? 0);
      await this.client.query('COMMIT');
    }
  }

  /** May be called twice. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.client.end();
  }
}
