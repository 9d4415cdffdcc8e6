import { setTimeout } from 'node:timers/promises';
import { OwnProcess, type Running } from '@waggle/running';
import { residentBytes, withDatabase } from '@waggle/testing';
import { type Client } from 'pg';
import { nowSeconds } from '../measure/load-time';
import { runLoad } from '../measure/run-load';
import { numberText } from '../measure/table';
import { type Chain, chain, type ChainJob, fetchResult } from './jobs';

/** How much of the chain is measured. */
export interface CatchUpSizes {
  /** Runs of each subject; the median counts. */
  readonly runs: number;
  readonly blocks: number;
  readonly otherOperations: number;
  /** The largest number of slow nodes. */
  readonly slowNodes: number;
}

export interface CatchUpOptions {
  readonly running: Running;
  readonly sizes: CatchUpSizes;
  readonly print: (line: string) => void;
  readonly content: ChainJob['content'];
  /** Starts an indexer of these nodes, with an empty database of its own. */
  readonly startIndexer: (nodeUrls: readonly string[]) => Promise<{ process: OwnProcess; databaseUrl: string }>;
}

export interface CatchUp {
  readonly blocksPerSecond: number;
  /** Peak resident memory, in bytes, in the second and the last third of the blocks. */
  readonly memory: { readonly secondThird: number; readonly lastThird: number };
}

export const slowMs = 50;

/** Making a few thousand blocks takes a minute. */
const chainTimeoutMs = 600_000;

const pollIntervalMs = 20;

/** An indexer that takes longer is stuck. */
const catchUpTimeoutMs = 600_000;

const fetchTimeoutMs = 120_000;

/** Measures how fast an indexer and its baseline read a chain. The chain is made once. */
export class CatchUpBench {
  private startedChain: Promise<Chain> | undefined;
  /** The result from each list of nodes. */
  private readonly quickResults = new Map<string, Promise<CatchUp>>();

  constructor(private readonly options: CatchUpOptions) {}

  get sizes(): CatchUpSizes {
    return this.options.sizes;
  }

  chain(): Promise<Chain> {
    this.startedChain ??= this.startChain();
    return this.startedChain;
  }

  /** Fetches and parses what an indexer read before, without a database. @returns blocks per second */
  async measureBaseline(): Promise<number> {
    const { url, lastBlock } = await this.chain();
    const script = 'tools/bench/dist/catch-up/load/main.js';
    const load = { name: 'fetch', script, job: { url, lastBlock }, measuredMs: fetchTimeoutMs };
    const { blocks, seconds } = await runLoad(this.options.running, load, fetchResult);
    this.options.print(`  fetch and parse: ${numberText(blocks / seconds)} blocks/s`);
    return blocks / seconds;
  }

  /** Lets an indexer with an empty database read the chain. A quick run, with one run per figure, does so once. */
  measureIndexer(nodeUrls: readonly string[]): Promise<CatchUp> {
    if (this.sizes.runs > 1) return this.runIndexer(nodeUrls);
    const key = nodeUrls.join();
    const result = this.quickResults.get(key) ?? this.runIndexer(nodeUrls);
    this.quickResults.set(key, result);
    return result;
  }

  private async runIndexer(nodeUrls: readonly string[]): Promise<CatchUp> {
    const { lastBlock } = await this.chain();
    const { process, databaseUrl } = await this.options.startIndexer(nodeUrls);
    try {
      const result = await withDatabase(databaseUrl, (client) => this.follow(process, client, lastBlock));
      const { secondThird, lastThird } = result.memory;
      const memory = [secondThird, lastThird].map((bytes) => `${Math.round(bytes / 2 ** 20)} MiB`).join(', then ');
      this.options.print(`  indexer: ${numberText(result.blocksPerSecond)} blocks/s, ${memory}`);
      return result;
    } finally {
      await process.discard();
    }
  }

  private async follow(indexer: OwnProcess, client: Client, lastBlock: number): Promise<CatchUp> {
    const { signal } = this.options.running;
    const deadline = performance.now() + catchUpTimeoutMs;
    const memory = { secondThird: 0, lastThird: 0 };
    let first: { readonly block: number; readonly seconds: number } | undefined;
    for (;;) {
      signal.throwIfAborted();
      if (performance.now() > deadline) throw new Error('the indexer does not reach the end of the chain');
      const block = await checkpointOf(client);
      const bytes = residentBytes(indexer.pid);
      if (block > 0) first ??= { block, seconds: nowSeconds() };
      if (block > lastBlock / 3) {
        const third = block > (2 * lastBlock) / 3 ? 'lastThird' : 'secondThird';
        memory[third] = Math.max(memory[third], bytes);
      }
      if (first !== undefined && block >= lastBlock) {
        const blocksPerSecond = (block - first.block) / (nowSeconds() - first.seconds);
        return { blocksPerSecond, memory };
      }
      await setTimeout(pollIntervalMs);
    }
  }

  private async startChain(): Promise<Chain> {
    const { running, sizes, content, print } = this.options;
    const { blocks, otherOperations, slowNodes } = sizes;
    print(`  making a chain of ${numberText(blocks)} blocks`);
    const job: ChainJob = { content, blocks, otherOperations, slowNodes, slowMs };
    const process = await OwnProcess.start(running, {
      name: 'chain',
      script: 'tools/bench/dist/catch-up/chain/main.js',
      input: JSON.stringify(job),
    });
    return chain.parse(JSON.parse(await process.line('{', chainTimeoutMs)));
  }
}

async function checkpointOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ block_number: string }>('SELECT block_number FROM chain_checkpoint');
  return Number(rows[0]?.block_number ?? 0);
}
