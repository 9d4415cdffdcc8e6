import { Devnet } from '../src/devnet';
import { devnetKeys } from '../src/keys';
import { type DevnetNode } from '../src/node/node';
import { callNode, rejected } from './call-node';

type Entry = [sequence: number, operation: { op: { type: string }; block: number }];

const transfers = 2 ** 2;
/** producer_reward has the type 64, so the first bit of the higher half. */
const producerRewards = { operation_filter_low: 0, operation_filter_high: 1 };
const emptyFilter = { operation_filter_low: 0, operation_filter_high: 0 };

let devnet: Devnet;
let hived: DevnetNode;
let haf: DevnetNode;
let transferId: string;

beforeAll(async () => {
  devnet = await Devnet.start({ nodes: ['hived', 'haf'], unsigned: true });
  [hived, haf] = devnet.nodes as [DevnetNode, DevnetNode];
  const transfer = { from: 'alice', to: 'bob', amount: '1.000 HIVE', memo: 'hi' };
  transferId = devnet.include([['transfer', transfer]], [devnetKeys('alice').active.wif]).transactions[0]?.id ?? '';
  devnet.post('alice', 'a-post');
  devnet.reply('bob', 'a-reply', { author: 'alice', permlink: 'a-post' });
  devnet.vote('carol', { author: 'alice', permlink: 'a-post' });
  devnet.customJson('carol', 'follow', []);
  devnet.delegate('alice', 'dave', '5000.000000 VESTS');
  devnet.produceBlocks(2);
});
afterAll(() => devnet.stop());

const ask = (node: DevnetNode, params: object) => callNode(node, 'account_history_api.get_account_history', params);
const entriesOf = async (node: DevnetNode, params: object) =>
  ((await ask(node, params)) as { history: readonly Entry[] }).history;
const typesOf = async (params: object, node = hived) =>
  (await entriesOf(node, params)).map(([, { op }]) => op.type.replace('_operation', ''));
const sequencesOf = async (params: object, node = hived) => (await entriesOf(node, params)).map(([number]) => number);

describe('the history of an account', () => {
  const created = ['account_create', 'transfer', 'transfer', 'transfer_to_vesting'];
  const createdVirtually = ['account_created', 'transfer_to_vesting_completed'];

  it.each(['hived', 'haf'])('of %s has each operation that concerns it, in their order', async (software) => {
    const node = software === 'haf' ? haf : hived;
    const genesis = [...created, ...createdVirtually];
    expect(await typesOf({ account: 'alice' }, node)).toEqual([
      ...genesis,
      'transfer',
      'comment',
      'comment',
      'vote',
      'effective_comment_vote',
      'delegate_vesting_shares',
    ]);
    expect(await typesOf({ account: 'bob' }, node)).toEqual([...genesis, 'transfer', 'comment']);
    expect(await typesOf({ account: 'carol' }, node)).toEqual([
      ...genesis,
      'vote',
      'effective_comment_vote',
      'custom_json',
    ]);
    expect(await typesOf({ account: 'dave' }, node)).toEqual([...genesis, 'delegate_vesting_shares']);
    expect(await typesOf({ account: 'stranger' }, node)).toEqual([]);
  });

  it('has the operations as account_history_api and condenser_api write them', async () => {
    const params = { account: 'alice', start: 6, limit: 1 };
    const { number, timestamp } = devnet.chain.findBlock(4) ?? devnet.chain.head;
    const common = { trx_id: transferId, block: number, trx_in_block: 0, op_in_trx: 0, virtual_op: false, timestamp };
    const value = { from: 'alice', to: 'bob', memo: 'hi' };
    for (const node of [hived, haf]) {
      const amount = { amount: '1000', precision: 3, nai: '@@000000021' };
      const op = { type: 'transfer_operation', value: { ...value, amount } };
      expect(await ask(node, params)).toEqual({ history: [[6, { ...common, op, operation_id: 0 }]] });
      const legacy = ['transfer', { ...value, amount: '1.000 HIVE' }];
      expect(await callNode(node, 'condenser_api.get_account_history', ['alice', 6, 1])).toEqual([
        [6, { ...common, op: legacy }],
      ]);
    }
  });

  it('numbers virtual operations after the real ones of the transaction', async () => {
    const [vote, effect] = await entriesOf(hived, { account: 'carol', start: 7, limit: 2 });
    expect(vote).toMatchObject([6, { op_in_trx: 0, virtual_op: false }]);
    expect(effect).toMatchObject([7, { op_in_trx: 1, virtual_op: true }]);
    expect(effect?.[1]).toMatchObject({ trx_id: Reflect.get(vote?.[1] ?? {}, 'trx_id') as unknown });
  });

  it('includes reversible operations only if requested', async () => {
    const { number } = devnet.chain.head;
    const params = { account: 'initminer', ...producerRewards, limit: 1 };
    const blockOf = async (more: object) => (await entriesOf(hived, { ...params, ...more }))[0]?.[1].block;
    expect(await blockOf({})).toBe(devnet.chain.lastIrreversible);
    expect(devnet.chain.lastIrreversible).toBeLessThan(number);
    expect(await blockOf({ include_reversible: true })).toBe(number);
  });

  it('is read page by page, from the newest operation', async () => {
    expect(await sequencesOf({ account: 'alice', start: -1, limit: 3 })).toEqual([9, 10, 11]);
    expect(await sequencesOf({ account: 'alice', start: 8, limit: 3 })).toEqual([6, 7, 8]);
    expect(await sequencesOf({ account: 'alice', start: 2, limit: 3 })).toEqual([0, 1, 2]);
    expect(await sequencesOf({ account: 'alice', start: 999, limit: 1 })).toEqual([11]);
    expect(await sequencesOf({ account: 'alice', start: '8', limit: '1' })).toEqual([8]);
  });

  it('is filtered by types; the limit counts those that match', async () => {
    for (const node of [hived, haf]) {
      const filter = { account: 'alice', operation_filter_low: transfers };
      expect(await sequencesOf(filter, node)).toEqual([1, 2, 6]);
      expect(await sequencesOf({ ...filter, limit: 2 }, node)).toEqual([2, 6]);
      expect(await sequencesOf({ ...filter, start: 5, limit: 1 }, node)).toEqual([2]);
      expect(await sequencesOf({ ...filter, operation_filter_low: String(transfers) }, node)).toEqual([1, 2, 6]);
      expect(await typesOf({ account: 'alice', operation_filter_high: 2 ** 8 }, node)).toEqual([
        'effective_comment_vote',
      ]);
      expect(await sequencesOf({ account: 'alice', ...emptyFilter }, node)).toEqual([]);
    }
  });

  it('in condenser_api takes filters with null', async () => {
    const sequences = async (node: DevnetNode, params: readonly unknown[]) =>
      ((await callNode(node, 'condenser_api.get_account_history', params)) as Entry[]).map(([number]) => number);
    for (const node of [hived, haf]) {
      expect(await sequences(node, ['alice', -1, 10, '4', null])).toEqual([1, 2, 6]);
      expect(await sequences(node, ['alice', -1, 10, 4])).toEqual([1, 2, 6]);
      expect(await sequences(node, ['alice', -1, 2])).toEqual([10, 11]);
    }
    // In hived null is 0, and 0 matches nothing.
    expect(await sequences(hived, ['alice', -1, 2, null, null])).toEqual([]);
    expect(await sequences(haf, ['alice', -1, 2, null, null])).toEqual([10, 11]);
  });
});

describe('a search of hived', () => {
  it('ends after 2000 operations', async () => {
    const long = await Devnet.start({ nodes: ['hived', 'haf'], unsigned: true });
    try {
      long.produceBlocks(2100);
      const [node = long.node, hafNode = long.node] = long.nodes;
      const [newest = 0] = await sequencesOf({ account: 'initminer', limit: 1 }, node);
      const params = { account: 'initminer', limit: 10, operation_filter_low: transfers };
      expect(await ask(node, params)).toMatchObject({
        error: {
          message:
            'Assert Exception:total_processed_items < 2000: Could not find filtered operation in 2000 operations, ' +
            `to continue searching, set start=${newest - 2000}.`,
          data: { stack: [{ data: { sequence: newest - 2000 } }] },
        },
      });
      expect(await sequencesOf({ ...params, start: newest - 2000 }, node)).not.toEqual([]);
      expect(await sequencesOf(params, hafNode)).not.toEqual([]);
    } finally {
      await long.stop();
    }
  });
});

describe('errors of get_account_history', () => {
  const limitText = (limit: number) =>
    `Assert Exception:args.limit <= 1000: limit of ${limit} is greater than maxmimum allowed`;
  const startText =
    'Assert Exception:args.start >= args.limit-1: start must be greater than or equal to limit-1 (start is 0-based index)';

  it('are the same of hived and HAfAH for a wrong limit and start', async () => {
    for (const node of [hived, haf]) {
      expect(await ask(node, { account: 'alice', limit: 1001 })).toMatchObject(rejected(limitText(1001)));
      expect(await ask(node, { account: 'alice', limit: -1 })).toMatchObject(rejected(limitText(4294967295)));
      expect(await ask(node, { account: 'alice', start: 1, limit: 3 })).toMatchObject(rejected(startText));
      expect(await ask(node, { account: 'alice', start: 1, limit: 0 })).toMatchObject(rejected(startText));
      expect(await ask(node, { account: 'toolargeinputitis' })).toMatchObject(
        rejected(
          'Assert Exception:in_len <= sizeof(data): Input too large: `toolargeinputitis` (17) for fixed size string: (16)',
        ),
      );
    }
    // The limit 0 wraps around, so that only the newest start is allowed.
    expect(await ask(hived, { account: 'alice', limit: 0 })).toEqual({ history: [] });
    expect(await ask(haf, { account: 'alice', limit: 0 })).toMatchObject(rejected(startText));
  });

  it('have data only of hived', async () => {
    expect(await ask(hived, { account: 'alice', limit: 1001 })).toHaveProperty('error.data.stack');
    expect(await ask(haf, { account: 'alice', limit: 1001 })).not.toHaveProperty('error.data');
  });

  it('of condenser_api name the number of arguments', async () => {
    expect(await callNode(hived, 'condenser_api.get_account_history', ['alice', -1])).toMatchObject(
      rejected(
        'Assert Exception:args.size() == 3 || args.size() == 4 || args.size() == 5: Expected 3, 4, or 5 argument(s), was 2',
      ),
    );
    expect(await callNode(haf, 'condenser_api.get_account_history', ['stranger'])).toEqual([]);
  });

  it.each([
    [{}, -32602, 'Invalid parameters'],
    [{ account: 'alice', limit: 'x' }, -32000, "Parse Error:Couldn't parse uint64_t"],
    [{ account: 'alice', start: '9223372036854775808' }, -32000, "Parse Error:Couldn't parse int64_t"],
    [
      { account: 'alice', include_reversible: 'True' },
      -32000,
      'Bad Cast:Cannot convert string to bool (only "true" or "false" can be converted)',
    ],
  ])('of HAfAH for %j', async (params, code, message) => {
    expect(await ask(haf, params)).toMatchObject(rejected(message, code));
  });
});

describe('other methods for irreversible blocks', () => {
  it('do not show reversible ones', async () => {
    const fresh = await Devnet.start({ unsigned: true });
    try {
      const block = fresh.customJson('alice', 'follow', []);
      const id = block.transactions[0]?.id ?? '';
      const { node } = fresh;
      const unknown = rejected(`Assert Exception:false: Unknown Transaction ${id}`);
      expect(await callNode(node, 'condenser_api.get_ops_in_block', [block.number, false])).toEqual([]);
      expect(await callNode(node, 'condenser_api.get_transaction', [id])).toMatchObject(unknown);
      expect(await callNode(node, 'account_history_api.get_transaction', { id })).toMatchObject(unknown);
      const inclusion = { transaction_id: id, block_num: block.number };
      const params = { id, include_reversible: true };
      expect(await callNode(node, 'account_history_api.get_transaction', params)).toMatchObject(inclusion);
      fresh.makeIrreversible();
      expect(await callNode(node, 'condenser_api.get_transaction', [id])).toMatchObject(inclusion);
      expect(await callNode(node, 'condenser_api.get_ops_in_block', [block.number, false])).toMatchObject([
        { op: ['custom_json', {}] },
        { op: ['producer_reward', {}] },
      ]);
    } finally {
      await fresh.stop();
    }
  });
});
