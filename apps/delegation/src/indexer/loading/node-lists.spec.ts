import { type HiveApi, HiveRpcError } from '@waggle/chain';
import { z } from 'zod';
import { listDelegations, listReturns } from './node-lists';

const request = z.object({ start: z.tuple([z.string(), z.union([z.string(), z.number()])]), limit: z.number() });
const time = '2026-01-01T00:00:00';
const shares = { amount: '5000000', precision: 6, nai: '@@000000037' };

/**
 * Responds with the rows from `start` on, as hived does, and with at most `maxRows` of them, even if the limit is
 * higher.
 */
function nodeWith<Row>(rows: Row[], keyOf: (row: Row) => string, maxRows: number): HiveApi {
  return {
    call(_method, params, result) {
      const { start, limit } = request.parse(params);
      const from = start.map((part) => String(part).padStart(20)).join(' ');
      const delegations = rows.filter((row) => keyOf(row) >= from).slice(0, Math.min(limit, maxRows));
      return Promise.resolve(result.parse({ delegations }));
    },
  };
}

async function all<Item>(pages: AsyncIterable<Item[]>, onPage: () => void = () => undefined): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
    onPage();
  }
  return items;
}

describe('the lists of a node', () => {
  const names = ['amy', 'bea', 'cyd', 'dot', 'eve', 'fay', 'gia'];
  const delegations = () =>
    names.map((delegatee) => ({
      ...{ delegator: 'zoe', delegatee, vesting_shares: shares, min_delegation_time: time },
    }));
  const keyOf = (row: { delegator: string; delegatee: string }) =>
    `${row.delegator.padStart(20)} ${row.delegatee.padStart(20)}`;

  it.each([2, 3, 6, 7, 1_000])(
    'are read to the end if a node returns shorter pages than requested (%s rows)',
    async (maxRows) => {
      const listed = await all(listDelegations(nodeWith(delegations(), keyOf, maxRows), 1_000));
      expect(listed.map(({ delegatee }) => delegatee)).toEqual(names);
      const returns = names.map((_name, id) => ({ id, delegator: 'zoe', vesting_shares: shares, expiration: time }));
      const node = nodeWith(returns, ({ id }) => `${time.padStart(20)} ${String(id).padStart(20)}`, maxRows);
      expect((await all(listReturns(node, 1_000))).map(({ id }) => id)).toEqual(names.map((_name, id) => id));
    },
  );

  it.each([2, 3, 7])('are rejected if a node repeats the first page (pages of %s)', async (maxRows) => {
    const repeating = (rows: unknown[]) => nodeWith(rows, () => '~', maxRows);
    await expect(all(listDelegations(repeating(delegations()), 1_000))).rejects.toThrow('the list goes back');
    const returns = names.map((_name, id) => ({ id, delegator: 'zoe', vesting_shares: shares, expiration: time }));
    await expect(all(listReturns(repeating(returns), 1_000))).rejects.toThrow('the list goes back');
  });

  it.each(['2026-02-30T25:00:00', '2026-01-01T00:00:00Z', '1 January'])(
    'are rejected with the time %s',
    async (bad) => {
      const rows = delegations().map((row) => ({ ...row, min_delegation_time: bad }));
      await expect(all(listDelegations(nodeWith(rows, keyOf, 3), 3))).rejects.toThrow();
    },
  );

  it('continue if the first row of the next page has been removed', async () => {
    const rows = delegations();
    const listed = await all(listDelegations(nodeWith(rows, keyOf, 3), 3), () => {
      const index = rows.findIndex(({ delegatee }) => delegatee === 'cyd');
      if (index >= 0) rows.splice(index, 1);
    });
    expect(listed.map(({ delegatee }) => delegatee)).toEqual(names);
  });

  it('begin at the first account only if the node does not know the empty one', async () => {
    const starts: unknown[] = [];
    const rejecting = (message: string): HiveApi => ({
      call(method, params, result) {
        const { start } = request.parse(params);
        starts.push(start);
        if (start[0] === '') return Promise.reject(new HiveRpcError(method, -32003, message));
        return Promise.resolve(result.parse({ delegations: start[0] === 'miners' ? delegations() : [] }));
      },
    });
    const unknown = 'Assert Exception:delegator != nullptr: Given account does not exist.';
    expect(await all(listDelegations(rejecting(unknown), 1_000))).toHaveLength(names.length);
    expect(starts).toEqual([
      ['', ''],
      ['miners', ''],
      ['zoe', 'gia'],
    ]);
    await expect(all(listDelegations(rejecting('Too many requests'), 1_000))).rejects.toThrow('Too many requests');
  });
});
