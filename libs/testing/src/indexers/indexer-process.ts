import path from 'node:path';
import { GuardedProcess, type ProcessEnd } from '../processes/guarded-process';

const manyInOne = path.resolve(__dirname, '../../src/indexers/many-in-one.cjs');

/** An indexer as it is deployed, or several in one process, which a test can kill. */
export class IndexerProcess {
  private constructor(
    private readonly process: GuardedProcess,
    /** All lines of its output. */
    readonly lines: readonly string[],
  ) {}

  /**
   * Starts the process without waiting until it is ready.
   *
   * @param main `dist/indexer.main.js`
   * @param urls the databases: an indexer for each
   */
  static async start(
    main: string,
    urls: readonly string[],
    environment: Record<string, string>,
  ): Promise<IndexerProcess> {
    const [url = '', ...others] = urls;
    const lines: string[] = [];
    const started = await GuardedProcess.start(process.execPath, others.length === 0 ? [main] : [manyInOne, main], {
      env: { HOST: '127.0.0.1', PORT: '0', ...environment, DATABASE_URL: url, DATABASE_URLS: JSON.stringify(urls) },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 30_000,
      onLine: (line) => lines.push(line),
    });
    return new IndexerProcess(started, lines);
  }

  kill(): Promise<ProcessEnd> {
    return this.process.kill();
  }
}
