import { createLogger } from '@waggle/service';
import { until, type UntilOptions } from '@waggle/testing';
import { type Indexer } from '@waggle/service/chain';
import { createDelegationIndexer } from '../../src/indexer.app';
import { type IndexerConfig, readIndexerConfig } from '../../src/config';
import { Client } from 'pg';

/** An indexer in this process, on port 0. */
export class IndexerUnderTest {
  private constructor(
    private readonly indexer: Indexer,
    readonly url: string,
    private readonly databaseUrl: string,
    /** Every line that it logged. */
    readonly logLines: readonly string[],
  ) {}

  static async start(
    databaseUrl: string,
    nodes: readonly string[],
    changes: Partial<IndexerConfig> = {},
  ): Promise<IndexerUnderTest> {
    const config = readIndexerConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      HIVE_API_NODES: nodes.join(','),
    });
    const logLines: string[] = [];
    const logger = createLogger('delegation-indexer', 'debug', { write: (line) => logLines.push(line) });
    const indexer = await createDelegationIndexer({ ...config, pollIntervalMs: 50, ...changes }, logger);
    await indexer.app.listen({ host: '127.0.0.1', port: 0 });
    indexer.start();
    return new IndexerUnderTest(indexer, await indexer.app.getUrl(), databaseUrl, logLines);
  }

  /** Resolves when the block is applied and, on request, the backfill is complete. */
  async reached(block: number, withHistoryFrom?: number, options: UntilOptions = {}): Promise<void> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    await until(async () => {
      const { rows } = await client.query<{ synced_block: string; history_from: string }>(
        'SELECT synced_block, history_from FROM index_state',
      );
      const [state] = rows;
      if (state === undefined || Number(state.synced_block) < block) return false;
      return withHistoryFrom === undefined || Number(state.history_from) === withHistoryFrom;
    }, options);
    await client.end();
  }

  async metrics(): Promise<string> {
    return await (await fetch(`${this.url}/metrics`)).text();
  }

  /** A line of `/metrics`. */
  async metric(name: string): Promise<number | undefined> {
    const found = (await this.metrics())
      .split('\n')
      .find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
    return found === undefined ? undefined : Number(found.split(' ').at(-1));
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/health/ready`)).status === 200;
  }

  async stop(): Promise<void> {
    await this.indexer.app.close();
  }
}
