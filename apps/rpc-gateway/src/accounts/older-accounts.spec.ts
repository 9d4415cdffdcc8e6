import { type NodeResult } from '@waggle/chain';
import { type z } from 'zod';
import { hasAccountsBefore } from './older-accounts';

const begins = new Date('2025-01-01T00:00:00Z');
const young = '2025-01-01T00:00:00';
const old = '2024-12-31T23:59:57';

/** Nodes that list accounts of their own, sorted by name. */
function nodesWith(...nodes: (readonly { name: string; created: string }[])[]) {
  const pages: string[] = [];
  return {
    pages,
    callWorkingNodes: <T>(
      _method: string,
      params: unknown,
      result: z.ZodType<T>,
    ): Promise<readonly NodeResult<T>[]> => {
      const { start, limit } = params as { start: string; limit: number };
      pages.push(start);
      return Promise.resolve(
        nodes.map((accounts, node) => ({
          node: String(node),
          value: result.parse({ accounts: accounts.filter(({ name }) => name >= start).slice(0, limit) }),
        })),
      );
    },
  };
}

const many = (count: number, created: string) =>
  Array.from({ length: count }, (_, n) => ({ name: `a${String(n).padStart(5, '0')}`, created }));

describe('accounts before the first block of an index', () => {
  it('are found if any node reports one', async () => {
    const none = [{ name: 'alice', created: young }];
    expect(await hasAccountsBefore(nodesWith(none, [{ name: 'alice', created: old }]), begins)).toBe(true);
    expect(await hasAccountsBefore(nodesWith(none, none), begins)).toBe(false);
  });

  it('are not those of the genesis', async () => {
    const genesis = ['initminer', 'miners', 'null', 'temp'].map((name) => ({ name, created: '1970-01-01T00:00:00' }));
    expect(await hasAccountsBefore(nodesWith(genesis), begins)).toBe(false);
  });

  it('are searched on every page', async () => {
    const nodes = nodesWith([...many(2_500, young), { name: 'zoe', created: old }], many(10, young));
    expect(await hasAccountsBefore(nodes, begins)).toBe(true);
    expect(nodes.pages).toEqual(['', 'a00999', 'a01998']);
    expect(await hasAccountsBefore(nodesWith(many(1_000, young)), begins)).toBe(false);
  });

  it('count as found if a node lists ever new accounts', async () => {
    const endless = nodesWith(many(99_999, young));
    expect(await hasAccountsBefore(endless, begins, 3)).toBe(true);
    expect(endless.pages).toHaveLength(3);
  });

  it('are searched without a node whose pages do not advance', async () => {
    const pages: string[] = [];
    const callWorkingNodes = <T>(_method: string, params: unknown, result: z.ZodType<T>) => {
      pages.push((params as { start: string }).start);
      const accounts = many(1_001 - pages.length, young).concat(many(pages.length - 1, young));
      return Promise.resolve([{ node: '0', value: result.parse({ accounts }) }]);
    };
    expect(await hasAccountsBefore({ callWorkingNodes }, begins)).toBe(false);
    expect(pages).toEqual(['', 'a00999']);
  });
});
