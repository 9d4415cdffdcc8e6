import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { exampleIn, runExample, until } from '@waggle/testing';
import { type Block } from '../chain/block';
import { DevnetChain } from '../chain/chain';
import { zeroId } from '../protocol';
import { RecordedChain } from './recorded-chain';
import { Replay } from './replay';

const vests = (amount: number) => ({ amount: String(amount), precision: 6, nai: '@@000000037' });
const operation = (type: string, value: object) => ({ type: `${type}_operation`, value });
const delegate = (amount: number) =>
  operation('delegate_vesting_shares', { delegator: 'alice', delegatee: 'bob', vesting_shares: vests(amount) });
const vote = (author: string) =>
  operation('effective_comment_vote', { voter: 'carol', author, permlink: 'honey', pending_payout: vests(1) });
const transaction = (id: string, ...ops: object[]) => ({ id: id.repeat(40), ops, sigs: [] });
const collageBlock = (n: number, ts: string, txs: object[], vops: object[] = []) => ({
  ...{ n, ts, witness: null, txs, vops, reward: null },
});

const collage = {
  chain: [
    collageBlock(7, '2020-01-01T00:00:00', [transaction('a', delegate(5))]),
    collageBlock(
      9,
      '2020-01-02T00:00:00',
      [transaction('b', delegate(2), vote('dave'))],
      [
        { trx: 'b'.repeat(40), op: vote('erin') },
        { trx: 'c'.repeat(40), op: vote('frank') },
      ],
    ),
  ],
  // Of a test network, whose time is earlier.
  tail: [
    collageBlock(
      1,
      '2016-01-01T00:00:00',
      [],
      [{ trx: zeroId, op: operation('return_vesting_delegation', { account: 'alice', vesting_shares: vests(3) }) }],
    ),
  ],
};

const recordedOf = ({ number, timestamp, transactionMerkleRoot, witnessSignature, signingKey, ...rest }: Block) => ({
  ...{ n: number, ts: timestamp, witness: rest.witness, previous: rest.previous, id: rest.id, txs: [] },
  ...{ root: transactionMerkleRoot, sig: witnessSignature, skey: signingKey },
  txs: rest.transactions.map(({ id, signatures }) => ({ id, sigs: signatures, ops: [] })),
});

describe('a recorded chain', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-recorded-'));
  const writeJson = (name: string, json: object) => {
    writeFileSync(path.join(folder, name), gzipSync(JSON.stringify(json)));
  };
  const source = new DevnetChain({ unsigned: true });
  source.produceBlocks(1000 - source.head.number);
  const blocks = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => source.findBlock(index + 1))
      .filter((block) => block !== undefined)
      .map((block) => [block.number, recordedOf(block)]),
  );
  beforeEach(() => {
    writeJson('chain-collage.json.gz', collage);
    writeJson('chain-blocks.json.gz', blocks);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('has the recorded blocks, with a reward in each', () => {
    const chain = RecordedChain.read(folder, 'first');
    expect(chain.blocks.map(({ id }) => id)).toEqual(Object.values(blocks).map(({ id }) => id));
    expect(chain.last.operations.map(({ operation: { name } }) => name)).toEqual(['producer_reward']);
  });

  it('rejects a header that does not have the recorded id', () => {
    writeJson('chain-blocks.json.gz', { ...blocks, 500: { ...blocks[500], witness: 'mallory' } });
    expect(() => RecordedChain.read(folder, 'first')).toThrow('the id of the recorded block 500 is not the hash');
  });

  it('arranges a collage to a chain that begins with what its operations name', () => {
    const chain = RecordedChain.read(folder, 'collage');
    expect(chain.blocks.map(({ number, timestamp }) => [number, timestamp])).toEqual([
      [1, '2019-12-31T23:59:57'],
      [2, '2020-01-01T00:00:00'],
      [3, '2020-01-02T00:00:00'],
      [4, '2020-01-02T00:00:03'],
    ]);
    expect(chain.blocks.map(({ previous }) => previous)).toEqual([
      zeroId,
      ...chain.blocks.slice(0, -1).map(({ id }) => id),
    ]);
    const created = chain.first.transactions.flatMap(({ operations }) => operations);
    expect(created.filter(({ name }) => name === 'account_create')).toHaveLength(6);
    expect(created.filter(({ name }) => name === 'comment').map(({ value }) => value)).toMatchObject([
      { author: 'dave', permlink: 'honey' },
      { author: 'erin', permlink: 'honey' },
      { author: 'frank', permlink: 'honey' },
    ]);
  });

  it('has virtual operations in the transactions of their block, or outside of them', () => {
    const block = RecordedChain.read(folder, 'collage').find(3);
    expect(
      block?.operations.map(({ operation: { name }, ...rest }) => [name, rest.virtual, rest.transactionId]),
    ).toEqual([
      ['delegate_vesting_shares', false, 'b'.repeat(40)],
      ['effective_comment_vote', true, 'b'.repeat(40)],
      ['effective_comment_vote', true, 'b'.repeat(40)],
      ['effective_comment_vote', true, zeroId],
      ['producer_reward', true, zeroId],
    ]);
  });

  it('is served with the state at the head, in the forms of all APIs', async () => {
    const replay = await Replay.start(RecordedChain.read(folder, 'collage'), { nodes: ['hived', 'haf'], head: 2 });
    const call = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(replay.urls[1] ?? '', { method: 'POST', body });
      return await response.json();
    };
    const delegations = () => call('condenser_api.get_vesting_delegations', ['alice', '', 10]);
    const returns = () => call('database_api.find_vesting_delegation_expirations', { account: 'alice' });
    const noRange = call('block_api.get_block_range', { starting_block_num: 3, count: 1 });
    expect(await noRange).toMatchObject({ result: { blocks: [] } });
    expect(await delegations()).toMatchObject({ result: [{ delegatee: 'bob', vesting_shares: '0.000005 VESTS' }] });
    replay.chain.produceBlock();
    expect(await delegations()).toMatchObject({ result: [{ vesting_shares: '0.000002 VESTS' }] });
    const expected = { vesting_shares: vests(3), expiration: '2020-01-06T00:00:00' };
    expect(await returns()).toMatchObject({ result: { delegations: [expected] } });
    replay.chain.produceBlock();
    expect(await returns()).toMatchObject({ result: { delegations: [] } });
    expect(replay.chain.lastIrreversible).toBe(3);
    expect(replay.chain.produceBlock().number).toBe(4);
    expect(replay.chain.lastIrreversible).toBe(4);
    expect(await call('condenser_api.broadcast_transaction', [{}])).toMatchObject({ error: { code: -32003 } });
    await replay.stop();
  });

  it('is served as in the example of the README', async () => {
    const example = exampleIn('libs/devnet/README.md', 'Serve recorded blocks');
    await runExample(example, { globals: { RecordedChain, Replay, folder } });
  });

  it('moves its head at an interval until the last block', async () => {
    const replay = await Replay.start(RecordedChain.read(folder, 'collage'), { head: 1, blockIntervalMs: 1 });
    await until(() => replay.chain.head.number === 4);
    await replay.stop();
  });
});
