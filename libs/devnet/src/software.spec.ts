import { Devnet } from './devnet';
import { type DevnetNode } from './node/node';

let devnet: Devnet;
let hived: DevnetNode;
let haf: DevnetNode;
let old: DevnetNode;

beforeAll(async () => {
  devnet = await Devnet.start({ nodes: ['hived', 'haf', 'hived-1.25'], unsigned: true });
  [hived, haf, old] = devnet.nodes as [DevnetNode, DevnetNode, DevnetNode];
  // Ids do not follow the names.
  devnet.createAccount('zoe');
  devnet.createAccount('amy');
  devnet.produceBlocks(5);
});
afterAll(() => devnet.stop());

async function call(node: DevnetNode, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = (await (await fetch(node.url, { method: 'POST', body })).json()) as { result?: unknown };
  return 'result' in response ? response.result : response;
}

describe('enum_virtual_ops', () => {
  interface Page {
    ops: { block: number; operation_id: string }[];
    next_block_range_begin: number;
    next_operation_begin: string | number;
  }
  const ask = async (node: DevnetNode, begin: number, end: number, more: object = {}) => {
    const params = { block_range_begin: begin, block_range_end: end, include_reversible: false, ...more };
    return (await call(node, 'account_history_api.enum_virtual_ops', params)) as Page;
  };
  const blocksOf = ({ ops }: Page) => [...new Set(ops.map(({ block }) => block))];
  const nextOf = ({ next_block_range_begin: block, next_operation_begin: operation }: Page) => [block, operation];
  const last = () => devnet.chain.lastIrreversible;

  it('of hived includes the last irreversible block', async () => {
    const page = await ask(hived, last() - 1, last() + 1);
    expect(blocksOf(page)).toEqual([last() - 1, last()]);
  });

  it('of HAfAH excludes the last irreversible block unless reversible ones are requested', async () => {
    expect(blocksOf(await ask(haf, last() - 1, last() + 1))).toEqual([last() - 1]);
    expect(blocksOf(await ask(haf, last() - 1, last()))).toEqual([last() - 1]);
    expect(blocksOf(await ask(haf, last() - 2, last() - 1))).toEqual([last() - 2]);
    expect(blocksOf(await ask(haf, last() - 1, last() + 1, { include_reversible: true }))).toEqual([
      last() - 1,
      last(),
    ]);
  });

  it.each(['hived', 'haf'] as const)('of %s marks blocks as irreversible', async (software) => {
    const node = software === 'hived' ? hived : haf;
    const more = { include_reversible: true, group_by_block: true };
    expect(await ask(node, last(), last() + 50, more)).toMatchObject({
      ops: [],
      ops_by_block: [
        { block: last(), irreversible: true },
        { block: last() + 1, irreversible: false },
      ],
    });
  });

  it('of hived repeats the ids of reversible operations in each block', async () => {
    devnet.chain.holdIrreversible();
    devnet.produceBlocks(2);
    const { ops } = await ask(hived, last() + 1, last() + 3, { include_reversible: true });
    expect(ops.map(({ block }) => block)).toEqual([last() + 1, last() + 2]);
    expect(ops[0]?.operation_id).toBe(ops[1]?.operation_id);
    devnet.chain.releaseIrreversible();
  });

  it('of hived before 1.26 lacks the last irreversible block if reversible ones are requested', async () => {
    expect(blocksOf(await ask(old, last() - 1, last() + 1))).toEqual([last() - 1, last()]);
    expect(blocksOf(await ask(old, last() - 1, last() + 1, { include_reversible: true }))).toEqual([last() - 1]);
  });

  it('says where to continue', async () => {
    const reversible = { include_reversible: true };
    expect(nextOf(await ask(hived, 1, last() - 1))).toEqual([last() - 1, 0]);
    expect(nextOf(await ask(haf, 1, last() - 1))).toEqual([last() - 1, 0]);
    // The range contains all that hived shows.
    expect(nextOf(await ask(hived, 1, last() + 1))).toEqual([0, 0]);
    expect(nextOf(await ask(hived, 1, last() + 1, reversible))).toEqual([0, 0]);
    expect(nextOf(await ask(haf, 1, last() + 1))).toEqual([last() + 1, 0]);
    expect(nextOf(await ask(haf, 1, last() + 1, reversible))).toEqual([last() + 1, 0]);
    // The range ends after the head.
    expect(nextOf(await ask(haf, last(), last() + 50, reversible))).toEqual([0, 0]);
  });

  it.each(['hived', 'haf'] as const)('of %s returns each operation once, page by page', async (software) => {
    const node = software === 'hived' ? hived : haf;
    const end = last() + 1;
    const seen: string[] = [];
    let [begin, operation]: (string | number)[] = [1, 0];
    for (let pages = 0; Number(begin) > 0 && Number(begin) < end; pages++) {
      expect(pages).toBeLessThan(100);
      const more = { operation_begin: operation, limit: 3, include_reversible: true };
      const page = await ask(node, Number(begin), end, more);
      seen.push(...page.ops.map(({ operation_id: id }) => id));
      [begin, operation] = nextOf(page);
    }
    const virtual = Array.from({ length: last() }, (_, index) => devnet.chain.findBlock(index + 1))
      .flatMap((block) => block?.operations ?? [])
      .filter((applied) => applied.virtual);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(virtual.length);
  });
});

describe('a failed assertion', () => {
  const method = 'database_api.list_accounts';
  const message =
    'Assert Exception:0 < args.limit && args.limit <= DATABASE_API_SINGLE_QUERY_LIMIT: limit not set or too big';
  const expression = '0 < args.limit && args.limit <= DATABASE_API_SINGLE_QUERY_LIMIT';
  const errorOf = async (node: DevnetNode) =>
    (await call(node, method, { start: '', limit: 0 })) as { error: { data: object } };

  it('has its condition in the extension', async () => {
    for (const node of [hived, haf]) {
      const { error } = await errorOf(node);
      const stack = [{ context: { thread_name: expect.any(String) as unknown }, format: 'limit not set or too big' }];
      expect(error).toMatchObject({ message, data: { extension: { assertion_expression: expression }, stack } });
      expect(error.data).toMatchObject({ assert_hash: expect.stringMatching(/^\d{1,20}$/) as unknown });
    }
  });

  it('of older hived has its condition in the format', async () => {
    const { error } = await errorOf(old);
    expect(error).toMatchObject({ message, data: { stack: [{ format: `${expression}: limit not set or too big` }] } });
    expect(Object.keys(error.data)).toEqual(['code', 'name', 'message', 'stack']);
  });
});

describe('delegations', () => {
  beforeAll(() => {
    for (const delegator of ['zoe', 'amy', 'bob']) {
      devnet.include([['transfer_to_vesting', { from: 'initminer', to: delegator, amount: '100.000 HIVE' }]], []);
      devnet.delegate(delegator, 'alice', '5000.000000 VESTS');
    }
  });

  const list = async (node: DevnetNode, start: readonly string[]) => {
    const params = { order: 'by_delegation', start, limit: 10 };
    const result = (await call(node, 'database_api.list_vesting_delegations', params)) as {
      delegations?: { delegator: string }[];
      error?: { message: string };
    };
    return result.delegations?.map(({ delegator }) => delegator) ?? result.error?.message;
  };
  const unknown = expect.stringContaining('Given account does not exist') as unknown;

  it('of hived are in the order of account ids, and begin at existing accounts', async () => {
    expect(await list(hived, ['miners', ''])).toEqual(['bob', 'zoe', 'amy']);
    expect(await list(hived, ['zoe', 'alice'])).toEqual(['zoe', 'amy']);
    expect(await list(hived, ['', ''])).toEqual(unknown);
    expect(await list(hived, ['zoe', 'nobody'])).toEqual(unknown);
    expect(await call(hived, 'condenser_api.get_vesting_delegations', ['nobody', '', 1])).toMatchObject({
      error: { message: unknown },
    });
  });

  it('before 1.26 are in the order of names, and begin anywhere', async () => {
    expect(await list(old, ['', ''])).toEqual(['amy', 'bob', 'zoe']);
    expect(await list(old, ['b', 'nobody'])).toEqual(['bob', 'zoe']);
    // A start at the first id would leave out some.
    expect(await list(old, ['miners', ''])).toEqual(['zoe']);
  });
});
