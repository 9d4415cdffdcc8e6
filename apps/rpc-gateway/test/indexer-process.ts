import path from 'node:path';
import { GuardedProcess, until } from '@waggle/testing';
import { Client } from 'pg';

const main = path.join(__dirname, '..', 'dist', 'indexer.main.js');
const manyIndexers = path.join(__dirname, 'many-indexers.mjs');

type ProcessEnd = Awaited<GuardedProcess['ended']>;

/** The last block of an index; -1 where it has not begun. */
export async function appliedBlock(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ block_number: string }>('SELECT block_number FROM chain_checkpoint');
  await client.end();
  return Number(rows[0]?.block_number ?? -1);
}

/** The indexer as it is deployed: `node dist/indexer.main.js`. */
export class IndexerProcess {
  private constructor(
    private readonly process: GuardedProcess,
    private readonly databaseUrl: string,
    /** Every line that it has said. */
    readonly lines: readonly string[],
  ) {}

  /** Waits for nothing. */
  static async start(environment: { DATABASE_URL: string } & Record<string, string>): Promise<IndexerProcess> {
    const lines: string[] = [];
    const started = await startProcess(main, environment, (line) => lines.push(line));
    return new IndexerProcess(started, environment.DATABASE_URL, lines);
  }

  /** One process with an indexer for each database; to be killed, not stopped. Waits for nothing. */
  static startMany(
    urls: readonly string[],
    environment: (url: string) => Record<string, string>,
  ): Promise<Pick<IndexerProcess, 'kill'>> {
    return startProcess(manyIndexers, { ...environment(''), DATABASE_URLS: JSON.stringify(urls) });
  }

  /** @throws Error with its last lines, where it ends before */
  async reached(block: number): Promise<void> {
    await until(async () => {
      if (this.process.endedWith !== undefined) throw new Error(this.process.lastLines.join('\n'));
      return (await appliedBlock(this.databaseUrl)) >= block;
    });
  }

  /** SIGTERM. */
  stop(): Promise<ProcessEnd> {
    return this.process.stop();
  }

  /** SIGKILL. */
  kill(): Promise<ProcessEnd> {
    return this.process.kill();
  }
}

function startProcess(script: string, environment: Record<string, string>, onLine?: (line: string) => void) {
  return GuardedProcess.start(process.execPath, [script], {
    env: { HOST: '127.0.0.1', PORT: '0', ...environment },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
    onLine,
  });
}
