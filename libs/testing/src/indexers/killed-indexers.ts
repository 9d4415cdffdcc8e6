import { CountingProxy } from '../postgres/counting-proxy';
import { type TestDatabase } from '../postgres/test-database';
import { type Random } from '../random';
import { appliedBlock, untilApplied } from './applied-block';
import { IndexerProcess } from './indexer-process';

/** Kills per round. Each round has a separate chain and comparison, so a stall of the machine costs only one round. */
const killsOfRound = 100;

/** Number of blocks ahead of an indexer: more than it applies before it is killed. */
const blocksAhead = 40;

/** Long, since the whole machine may stall for minutes. */
const finishTimeoutMs = 240_000;

/** Number of log lines in the error if indexers do not finish. */
const shownLines = 20;

/** Divides kills into rounds, for `it.each`, with the timeout of a round. */
export function killRounds(kills: number): { rounds: { round: number; kills: number }[]; timeoutMs: number } {
  const rounds = Array.from({ length: Math.ceil(kills / killsOfRound) }, (_none, round) => ({
    round: round + 1,
    kills: Math.min(killsOfRound, kills - round * killsOfRound),
  }));
  return { rounds, timeoutMs: Math.max(300_000, Math.min(kills, killsOfRound) * 20_000) };
}

/** The development chain that the indexers follow. */
interface IndexedChain {
  /** The URL of its API node. */
  readonly url: string;
  readonly chain: { readonly head: { readonly number: number }; readonly lastIrreversible: number };
  makeIrreversible(): void;
}

export interface KilledIndexersOptions {
  /** `dist/indexer.main.js`. */
  main: string;
  /** Settings in addition to the database and the node. */
  environment?: Record<string, string>;
  devnet: IndexedChain;
  /** Produces this many blocks. */
  live: (blocks: number) => void;
  random: Random;
  createDatabase: () => Promise<TestDatabase>;
  /**
   * Counts of messages to the database: each kill comes before `max`; every second one after `min`, when the first
   * batches are done.
   */
  messages: { min: number; max: number };
}

/** Kills indexers of one chain repeatedly. */
export class KilledIndexers {
  private readonly databases: TestDatabase[] = [];

  constructor(private readonly options: KilledIndexersOptions) {}

  /** Creates a database. @returns its URL */
  async database(): Promise<string> {
    const created = await this.options.createDatabase();
    this.databases.push(created);
    return created.url;
  }

  /** Starts one process with an indexer for each database, without waiting until it is ready. */
  start(...urls: readonly string[]): Promise<IndexerProcess> {
    const { main, environment, devnet } = this.options;
    return IndexerProcess.start(main, urls, {
      HIVE_API_NODES: devnet.url,
      BLOCKS_PER_BATCH: '4',
      POLL_INTERVAL_MS: '50',
      ...environment,
    });
  }

  /** Makes all blocks irreversible, and runs indexers of these databases until the end of the chain. */
  async finish(...urls: readonly string[]): Promise<IndexerProcess> {
    const { devnet } = this.options;
    devnet.makeIrreversible();
    const indexers = await this.start(...urls);
    const options = { limitMs: finishTimeoutMs, actual: () => indexers.lines.slice(-shownLines) };
    for (const url of urls) await untilApplied(url, devnet.chain.head.number, options);
    await indexers.kill();
    return indexers;
  }

  /**
   * Kills indexers repeatedly at random moments, and then lets them finish; another one is never killed.
   *
   * @returns their databases, and how many different blocks they were killed at, summed over the indexes
   */
  async kill(times: number): Promise<{ killed: string[]; undisturbed: string; stoppedBlocks: number }> {
    // All in one process, each with a separate index, so that one kill ends all.
    const together = Math.min(10, Math.ceil(times / 2));
    const killed = await Promise.all(Array.from({ length: together }, () => this.database()));
    const proxies = await Promise.all(killed.map((url) => CountingProxy.to(url)));
    const reached = killed.map(() => new Set<number>());
    for (let round = 0; round * together < times; round += 1) {
      this.extendChain(Math.max(0, ...reached.flatMap((blocks) => [...blocks])));
      // Every other time after the first batches.
      await this.killOnce(proxies, round % 2 === 0 ? 0 : this.options.messages.min);
      for (const [index, url] of killed.entries()) reached[index]?.add(await appliedBlock(url));
    }
    await Promise.all(proxies.map((proxy) => proxy.close()));
    const undisturbed = await this.database();
    await this.finish(...killed, undisturbed);
    const stoppedBlocks = reached.reduce((sum, blocks) => sum + [...blocks].filter((block) => block > 0).length, 0);
    return { killed, undisturbed, stoppedBlocks };
  }

  /** Produces blocks until there are enough after the furthest one that an indexer applied. */
  private extendChain(furthest: number): void {
    const { devnet, live } = this.options;
    live(Math.max(0, furthest + blocksAhead - devnet.chain.lastIrreversible));
  }

  /** Kills indexers between any two statements, or while one runs, so that its result is lost. */
  private async killOnce(proxies: readonly CountingProxy[], minMessages: number): Promise<void> {
    const { live, random, messages } = this.options;
    const moments = proxies.map((proxy) =>
      proxy.atMessage(minMessages + random.below(messages.max - minMessages), { isForwarded: random.chance(0.5) }),
    );
    const indexers = await this.start(...proxies.map(({ url }) => url));
    // The chain grows meanwhile.
    const ticker = setInterval(() => {
      live(1);
    }, 200);
    await Promise.all(moments);
    clearInterval(ticker);
    await indexers.kill();
  }

  async drop(): Promise<void> {
    for (const database of this.databases.splice(0)) await database.drop();
  }
}
