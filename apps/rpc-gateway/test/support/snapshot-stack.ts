import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { HiveClient } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { createLogger } from '@waggle/service';
import { type Random, type TestDatabase, until, untilApplied } from '@waggle/testing';
import { Client } from 'pg';
import { readIndexerConfig } from '../../src/config';
import { createGatewayIndexer } from '../../src/indexer.app';
import { exportSnapshot } from '../../src/snapshot/export-snapshot';
import { importSnapshot, type ImportOptions } from '../../src/snapshot/import-snapshot';
import { readChainId } from '../../src/snapshot/read-chain-id';
import { freshDatabase } from './index-under-test';
import { RandomActivity } from './random-activity';

/** 2025-01-01, in seconds: the random activity takes months, and an indexer accepts no head in the future. */
const genesisTime = 1_735_689_600;

/** A devnet with random activity, and indexes of it. */
export class SnapshotStack {
  private readonly databases: TestDatabase[] = [];
  private readonly stops: (() => Promise<void>)[] = [];
  readonly activity: RandomActivity;

  private constructor(
    readonly devnet: Devnet,
    readonly hive: HiveClient,
    random: Random,
  ) {
    this.activity = new RandomActivity(devnet, random);
  }

  static async start(random: Random): Promise<SnapshotStack> {
    const devnet = await Devnet.start({ unsigned: true, genesisTime });
    const stack = new SnapshotStack(devnet, new HiveClient({ urls: devnet.urls }), random);
    stack.activity.createCommunities();
    return stack;
  }

  /** The URL of a new, migrated database. */
  async database(): Promise<string> {
    const database = await freshDatabase();
    this.databases.push(database);
    return database.url;
  }

  /** Starts an indexer, which `stop` stops if the returned function was not called. */
  async index(url: string, environment: Record<string, string> = {}): Promise<() => Promise<void>> {
    const config = readIndexerConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: url,
      HIVE_API_NODES: this.devnet.url,
      POLL_INTERVAL_MS: '50',
      DIGEST_INTERVAL_BLOCKS: '0',
      ...environment,
    });
    const indexer = await createGatewayIndexer(config, createLogger('rpc-gateway-indexer', 'silent'));
    indexer.start();
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= indexer.app.close());
    this.stops.push(stop);
    return stop;
  }

  /** Makes all blocks irreversible, and waits until these indexes have them. */
  async untilIndexed(...urls: readonly string[]): Promise<void> {
    this.devnet.makeIrreversible();
    for (const url of urls) await untilApplied(url, this.devnet.chain.lastIrreversible);
  }

  async export(url: string, atBlock?: number): Promise<{ file: Buffer; digest: string }> {
    const output = new PassThrough();
    const file = buffer(output);
    const signal = AbortSignal.timeout(60_000);
    const { digest } = await exportSnapshot(output, { url, chainId: await readChainId(this.hive), atBlock, signal });
    return { file: await file, digest };
  }

  async import(url: string, file: Buffer, options: Partial<ImportOptions> = {}): Promise<string> {
    const input = Readable.from(pieces(file));
    const signal = AbortSignal.timeout(60_000);
    return (await importSnapshot(input, { url, hive: this.hive, signal, ...options })).digest;
  }

  /** Waits until an exporter waits for its block. */
  async untilRequested(...urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      await until(async () => (await rowsOf(url, 'SELECT FROM snapshot_request')).length > 0);
    }
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) await stop();
    await this.hive.close();
    await this.devnet.stop();
    for (const database of this.databases) await database.drop();
  }
}

export async function rowsOf(url: string, statement: string): Promise<object[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(statement);
  const ended = once(client, 'end');
  await client.end();
  await ended;
  return rows;
}

function* pieces(file: Buffer): Generator<Buffer> {
  for (let from = 0; from < file.length; from += 1_000) yield file.subarray(from, from + 1_000);
}
