import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { operationObject, operationsOf } from '../api/objects/operation-objects';
import { type Block } from '../chain/block';
import { type NamedOperation } from '../dialect';
import { type Fields, fieldsOf, listOf } from '../fields';
import { genesisBlock } from '../chain/genesis';
import { createdAccount } from '../operations/created-account';
import { blockIntervalSeconds, initMiner, zeroId } from '../protocol';
import { type ChainState } from '../state/state';
import { hiveTime, neverHappened, secondsOf } from '../time';
import { accountOf } from './created-accounts';
import { findWithoutOrigin, originsOf } from './missing-origins';
import { readRecordedBlock, rewardOf, withNewHeader, withRecordedHeader } from './recorded-block';
import { type RecordedBlock, type StatelessBlock } from './recorded-block';
import { stateAfter } from './recorded-state';

/**
 * - `first`: the blocks 1 to 1,000 of Hive
 * - `million`: its blocks 1,000,000 to 1,000,999, with made-up rewards of the witnesses
 * - `collage`: every recorded operation, in blocks with other numbers and made-up headers
 */
export const recordedChainNames = ['first', 'million', 'collage'] as const;

export type RecordedChainName = (typeof recordedChainNames)[number];

/** Number of blocks of `first` and of `million`. */
const recordedBlocks = 1000;

/** Operations in each block that creates what the operations of `collage` name. */
const originsPerBlock = 100;

/** Recorded blocks, in order and without a gap, with the state after each. */
export class RecordedChain {
  private constructor(readonly blocks: readonly Block[]) {}

  /**
   * Reads `chain-blocks.json.gz` and `chain-collage.json.gz`.
   *
   * @throws Error if a file is missing or malformed, or a recorded id is not the hash of its header
   */
  static read(folder: string, name: RecordedChainName): RecordedChain {
    const collage = fieldsOf(readJson(folder, 'chain-collage.json.gz'));
    const mainNetwork = listOf(collage['chain']).map(readRecordedBlock);
    const { state } = genesisBlock(neverHappened);
    if (name === 'collage') {
      const others = listOf(collage['tail']).map(readRecordedBlock);
      return new RecordedChain(withStates(arrange([...mainNetwork, ...others], state), state));
    }
    const first = name === 'first' ? 1 : 1_000_000;
    const blocks = readBlocks(fieldsOf(readJson(folder, 'chain-blocks.json.gz')), first, mainNetwork);
    if (name === 'million') addOlderAccounts(state, blocks);
    return new RecordedChain(withStates(blocks, state));
  }

  get first(): Block {
    return this.at(0);
  }

  get last(): Block {
    return this.at(-1);
  }

  find(number: number): Block | undefined {
    return this.blocks[number - this.first.number];
  }

  /** The operations in the order of the chain, as account_history_api writes them. */
  *operations(): Generator<object> {
    for (const block of this.blocks)
      for (const operation of operationsOf(block)) yield operationObject(operation, 'appbase');
  }

  private at(index: number): Block {
    const block = this.blocks.at(index);
    if (!block) throw new RangeError('the recording has no blocks');
    return block;
  }
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(path.join(folder, file))).toString());
}

/**
 * Reads blocks by their numbers. @param others blocks with the virtual operations and the reward, if they were recorded
 */
function readBlocks(recorded: Fields, first: number, others: readonly RecordedBlock[]): StatelessBlock[] {
  const byNumber = new Map(others.map((block) => [block.number, block]));
  return Array.from({ length: recordedBlocks }, (_, index) => {
    const json = fieldsOf(recorded[first + index]);
    const block = readRecordedBlock(json);
    const { virtual, reward } = byNumber.get(block.number) ?? block;
    return withRecordedHeader({ ...block, virtual, reward }, json);
  });
}

/** Arranges recorded blocks to a chain that begins with the accounts and posts that they name and do not create. */
function arrange(recorded: readonly RecordedBlock[], genesis: ChainState): StatelessBlock[] {
  const operations = recorded.flatMap(({ transactions, virtual, reward }) => [
    ...transactions.flatMap((transaction) => transaction.operations),
    ...virtual.map(({ operation }) => operation),
    reward,
  ]);
  const origins = originsOf(findWithoutOrigin(operations, genesis));
  const parts = Array.from({ length: Math.ceil(origins.length / originsPerBlock) }, (_, index) =>
    origins.slice(index * originsPerBlock, (index + 1) * originsPerBlock),
  );
  let previous = zeroId;
  // So that the recorded blocks keep their times.
  let seconds = secondsOf(recorded[0]?.timestamp ?? '') - blockIntervalSeconds * (parts.length + 1);
  return [...parts.map(originBlock), ...recorded].map((block, index) => {
    // Only blocks of test networks, which are the last ones, go back in time.
    seconds = Math.max(seconds + blockIntervalSeconds, secondsOf(block.timestamp));
    const next = withNewHeader({ ...block, number: index + 1, timestamp: hiveTime(seconds) }, previous);
    previous = next.id;
    return next;
  });
}

/** A block with one transaction of these operations. */
function originBlock(operations: readonly NamedOperation[], index: number): RecordedBlock {
  const transaction = {
    id: createHash('sha1').update(`origins ${index}`).digest('hex'),
    ...{ refBlockNum: 0, refBlockPrefix: 0, expiration: neverHappened, operations, signatures: [] },
  };
  return {
    ...{ number: 0, timestamp: neverHappened, witness: initMiner },
    ...{ transactions: [transaction], virtual: [], reward: rewardOf(initMiner) },
  };
}

/** Adds the accounts that existed before these blocks. */
function addOlderAccounts(state: ChainState, blocks: readonly StatelessBlock[]): void {
  const operations = blocks.flatMap((block) => block.operations.map(({ operation }) => operation));
  for (const name of findWithoutOrigin(operations, state).accounts)
    state.putAccount(createdAccount(accountOf(name), state.accountCount, neverHappened));
}

function withStates(blocks: readonly StatelessBlock[], genesis: ChainState): Block[] {
  let [state, now] = [genesis, blocks[0]?.timestamp ?? neverHappened];
  return blocks.map((block) => {
    const operations = block.operations.map(({ operation }) => operation);
    state = stateAfter(state, operations, now);
    now = block.timestamp;
    return { ...block, state };
  });
}
