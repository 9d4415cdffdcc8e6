import { createHash } from 'node:crypto';
import { blockId, type Block, serializeHeader } from './block';
import { DevnetChain } from './chain';
import { devnetKeys } from '../keys';
import { zeroId } from '../protocol';
import { recoverKey } from '../signing/signing';
import { secondsOf } from '../time';

const transferToBob: [string, object] = ['transfer', { from: 'alice', to: 'bob', amount: '1.000 HIVE', memo: '' }];
const aliceActive = [devnetKeys('alice').active.wif];

function blocksOf(chain: DevnetChain): Block[] {
  return Array.from({ length: chain.head.number }, (_, i) => chain.findBlock(i + 1)).filter(
    (block) => block !== undefined,
  );
}

describe('the blocks of a chain', () => {
  const chain = new DevnetChain();
  const transaction = chain.include([transferToBob], aliceActive);
  chain.produceBlocks(3);
  const blocks = blocksOf(chain);

  it('are linked, and three seconds apart', () => {
    expect(blocks.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    blocks.slice(1).forEach((block, i) => {
      expect(block.previous).toBe(blocks[i]?.id);
      expect(secondsOf(block.timestamp) - secondsOf(blocks[i]?.timestamp ?? '')).toBe(3);
    });
  });

  it('have ids and signatures that follow from their content', () => {
    for (const block of blocks) {
      const header = serializeHeader(block);
      expect(blockId(block.number, header, block.witnessSignature)).toBe(block.id);
      expect(recoverKey(createHash('sha256').update(header).digest(), block.witnessSignature)).toBe(block.signingKey);
    }
  });

  it('have the Merkle root of their transactions, or zeros without any', () => {
    expect(blocks[4]?.transactionMerkleRoot).toBe(zeroId);
    const root = createHash('ripemd160').update(transaction.merkleDigest).digest('hex');
    expect(blocks[3]?.transactionMerkleRoot).toBe(root);
  });

  it('have one virtual operation each', () => {
    for (const { operations } of blocks) expect(operations.at(-1)?.operation.name).toBe('producer_reward');
  });

  it('are in a later slot after a pause', () => {
    const before = secondsOf(chain.head.timestamp);
    expect(secondsOf(chain.produceBlock(4).timestamp)).toBe(before + 15);
  });
});

describe('two chains', () => {
  const run = (options = {}) => {
    const chain = new DevnetChain(options);
    const { id } = chain.include([transferToBob], aliceActive);
    return { transaction: id, blocks: [...blocksOf(chain), chain.produceBlock()].map((block) => block.id) };
  };

  it('with the same inputs have the same block ids', () => {
    expect(run()).toEqual(run());
  });

  it('with different genesis times have different block ids', () => {
    expect(run({ genesisTime: 1_700_000_001 }).blocks[0]).not.toBe(run().blocks[0]);
  });
});

describe('the state', () => {
  it('has the accounts of the first block, irreversible from the start', () => {
    const chain = new DevnetChain({ reversibleBlocks: 5 });
    expect(chain.state.accounts.map(({ name }) => name).slice(0, 6)).toEqual([
      'miners',
      'null',
      'temp',
      'initminer',
      'alice',
      'bob',
    ]);
    expect(chain.state.accountCount).toBe(14);
    expect(chain.lastIrreversible).toBe(chain.head.number - 5);
    expect(chain.lastIrreversible).toBeGreaterThanOrEqual(1);
  });

  it('changes immediately, but not in a view of an earlier block', () => {
    const chain = new DevnetChain();
    chain.include([transferToBob], aliceActive);
    expect(chain.state.getAccount('bob').hive.legacy()).toBe('1001.000 HIVE');
    chain.produceBlock();
    expect(chain.asOf(1).state.getAccount('bob').hive.legacy()).toBe('1000.000 HIVE');
    expect(chain.asOf(1).findBlock(chain.head.number)).toBeUndefined();
  });

  it('is untouched when the last operation of a transaction fails', () => {
    const chain = new DevnetChain();
    const tooMuch: [string, object] = ['transfer', { from: 'alice', to: 'bob', amount: '5000.000 HIVE', memo: '' }];
    expect(() => chain.include([transferToBob, tooMuch], aliceActive)).toThrow('does not have sufficient funds');
    expect(chain.state.getAccount('bob').hive.legacy()).toBe('1000.000 HIVE');
    expect(chain.produceBlock().transactions).toEqual([]);
  });

  it('charges the creator of an account the fee', () => {
    const chain = new DevnetChain();
    const keys = devnetKeys('mallory');
    const authority = { weight_threshold: 1, account_auths: [], key_auths: [[keys.owner.publicKey, 1]] };
    const account = { new_account_name: 'mallory', owner: authority, active: authority, posting: authority };
    const value = { fee: '3.000 HIVE', creator: 'alice', ...account, memo_key: keys.memo.publicKey, json_metadata: '' };
    chain.include([['account_create', value]], aliceActive);
    expect(chain.state.getAccount('alice').hive.legacy()).toBe('997.000 HIVE');
    const created = chain.produceBlock().operations.filter(({ virtual }) => virtual)[0];
    expect(created?.operation).toMatchObject({
      name: 'account_created',
      value: { new_account_name: 'mallory', creator: 'alice' },
    });
    expect(() => chain.include([['account_create', value]], aliceActive)).toThrow('Account mallory already exists.');
    expect(() => chain.include([['account_create', { ...value, fee: '1.000 HIVE' }]], aliceActive)).toThrow(
      'exact account creation fee',
    );
  });
});

describe('irreversible blocks', () => {
  it('lag the head by the configured number', () => {
    const chain = new DevnetChain({ reversibleBlocks: 3, unsigned: true });
    chain.produceBlocks(5);
    expect(chain.lastIrreversible).toBe(chain.head.number - 3);
    expect(chain.asOf(2).lastIrreversible).toBe(chain.head.number - 5);
  });

  it('can be paused and forced', () => {
    const chain = new DevnetChain({ unsigned: true });
    const { lastIrreversible } = chain;
    chain.holdIrreversible();
    chain.produceBlocks(5);
    expect(chain.lastIrreversible).toBe(lastIrreversible);
    chain.makeIrreversible(lastIrreversible + 2);
    expect(chain.lastIrreversible).toBe(lastIrreversible + 2);
    chain.makeIrreversible();
    expect(chain.lastIrreversible).toBe(chain.head.number);
    expect(chain.asOf(1).lastIrreversible).toBe(chain.head.number - 1);
    chain.produceBlock();
    expect(chain.lastIrreversible).toBe(chain.head.number - 1);
    chain.releaseIrreversible();
    chain.produceBlocks(2);
    expect(chain.lastIrreversible).toBe(chain.head.number - 1);
  });

  it('remain when later blocks are undone', () => {
    const chain = new DevnetChain({ reversibleBlocks: 2, unsigned: true });
    const [remaining, undone] = chain.produceBlocks(2);
    chain.include([transferToBob], aliceActive);
    chain.produceBlock();
    expect(() => {
      chain.undoBlocks(3);
    }).toThrow('irreversible blocks stay');
    chain.undoBlocks(2);
    expect(chain.head).toBe(remaining);
    expect(chain.state.getAccount('bob').hive.legacy()).toBe('1000.000 HIVE');
    expect(chain.produceBlock(1).id).not.toBe(undone?.id);
    expect(chain.head.previous).toBe(remaining?.id);
  });
});

it('a chain without signatures accepts its own transactions, and verifies external ones', () => {
  const chain = new DevnetChain({ unsigned: true });
  chain.include([transferToBob], []);
  const block = chain.produceBlock();
  expect(block.transactions[0]?.signatures).toEqual([]);
  expect(blockId(block.number, serializeHeader(block), block.witnessSignature)).toBe(block.id);
  const pushed = {
    ref_block_num: block.number,
    ref_block_prefix: Buffer.from(block.id, 'hex').readUInt32LE(4),
    expiration: '2026-01-01T00:10:00',
    operations: [transferToBob],
  };
  expect(() => chain.push(pushed)).toThrow('Missing Active Authority alice');
});
