import { Devnet, type SoftwareName } from '@waggle/devnet';
import { z } from 'zod';
import {
  checkNodes,
  type CheckOptions,
  followerProbes,
  loginProbes,
  type NodeReport,
  onOperation,
  OperationHandlers,
  type Probe,
  works,
} from '../src';

const payout = onOperation('comment_reward_operation', z.object({ total_payout_value: z.unknown() }), () => undefined);
const vote = onOperation(
  'effective_comment_vote_operation',
  z.object({ pending_payout: z.object({ amount: z.string() }) }),
  () => undefined,
);
const virtualOperations = ['effective_comment_vote', 'comment_reward'];
const handlers = new OperationHandlers([payout, vote]);
/** Long enough for the attempt that hived before 1.26 needs. */
const storageDelayMs = 1_500;
const probes = [
  ...loginProbes,
  ...followerProbes({ virtualOperations, handlers, frequent: virtualOperations, storageDelayMs }),
];

const [head, accounts] = ['database_api.get_dynamic_global_properties', 'database_api.find_accounts'];
const [blocks, virtual] = ['block_api.get_block_range', 'account_history_api.enum_virtual_ops'];
const unseen = 'not seen in 16 blocks: comment_reward';
const hafah = 'HAfAH: it would leave out the last irreversible block without include_reversible, which is set';

type Faults = Parameters<Devnet['node']['misbehave']>[0];

/** The verdicts of a node in the order of the probes, with their details. */
function verdictsOf({ methods }: NodeReport): string[] {
  return methods.map(({ probe: { method }, verdict, detail }) =>
    detail === undefined ? `${method} ${verdict}` : `${method} ${verdict}: ${detail}`,
  );
}

/** The genesis time of a chain whose block of this number is produced now. */
const genesisBefore = (block: number) => Math.floor(Date.now() / 1_000) - 3 * block;

function replaced(result: unknown, from: string, to: string): unknown {
  return JSON.parse(JSON.stringify(result).replaceAll(from, to));
}

describe('checkNodes', () => {
  let devnet: Devnet | undefined;
  afterEach(() => devnet?.stop());

  async function start(nodes: readonly SoftwareName[], genesisTime = genesisBefore(16)): Promise<Devnet> {
    devnet = await Devnet.start({ nodes, genesisTime });
    devnet.post('alice', 'a-post');
    devnet.vote('bob', { author: 'alice', permlink: 'a-post' });
    devnet.produceBlocks(11);
    devnet.makeIrreversible();
    return devnet;
  }

  /** The report of one node with these faults, beside a node without. */
  async function checkWith(faults: Faults, options?: CheckOptions): Promise<NodeReport> {
    const { nodes, urls } = await start(['hived', 'hived']);
    nodes[1]?.misbehave(faults);
    const [sound, broken] = await checkNodes(urls, probes, options);
    if (sound === undefined || broken === undefined) throw new Error('a node is missing');
    expect(verdictsOf(sound).filter((text) => !text.includes(' works'))).toEqual([]);
    return broken;
  }

  it('shows how the software of nodes differs', async () => {
    const { urls } = await start(['hived', 'haf', 'hived-1.25']);
    const reports = await checkNodes(urls, probes);
    const common = [`${head} works`, `${accounts} works`, `${blocks} works`, `${blocks} works`];
    expect(reports.map(verdictsOf)).toEqual([
      [...common, `${virtual} works: ${unseen}`],
      [...common, `${virtual} differs: ${hafah}; ${unseen}`],
      [...common, `${virtual} works: ${unseen}`],
    ]);
    expect(reports).toMatchObject(
      ['1.28.6', '1.28.6', '1.25.0'].map((version) => ({
        version,
        head: { block: 16, irreversibleBlock: 16 },
        behindBlocks: 0,
        lagMs: expect.any(Number) as unknown,
        methods: [...common, virtual].map(() => ({ ms: expect.any(Number) as unknown })),
      })),
    );
  });

  it.each<[what: string, Faults, expected: string[]]>([
    [
      'that lacks the account history',
      { without: ['account_history_api'] },
      [`${head} works`, `${accounts} works`, `${blocks} works`, `${blocks} works`, `${virtual} not-served`],
    ],
    [
      'that does not report its head',
      { error: { code: -32601, message: 'no such method' }, onlyMethods: [head] },
      [
        `${head} not-served`,
        `${accounts} works`,
        `${blocks} works`,
        `${blocks} unknown: the node does not report its head`,
        `${virtual} unknown: the node does not report its head`,
      ],
    ],
    [
      'without accounts',
      { distort: ({ method }, result) => (method === accounts ? { accounts: [] } : result) },
      [
        `${head} works`,
        `${accounts} not-served: it has no account initminer`,
        `${blocks} works`,
        `${blocks} works`,
        `${virtual} works: ${unseen}`,
      ],
    ],
    [
      'that rejects one method',
      { error: { code: -32003, message: 'Assert Exception:\u001b[2J no' }, onlyMethods: [accounts] },
      [
        `${head} works`,
        `${accounts} fails: -32003 Assert Exception: [2J no`,
        `${blocks} works`,
        `${blocks} works`,
        `${virtual} works: ${unseen}`,
      ],
    ],
    [
      'that responds to another request',
      { wrong: 'wrong-id', onlyMethods: [blocks] },
      [
        `${head} works`,
        `${accounts} works`,
        `${blocks} fails: wrong-id`,
        `${blocks} fails: wrong-id`,
        `${virtual} fails: wrong-id`,
      ],
    ],
    [
      'with an error page',
      { wrong: 'html' },
      [
        `${head} fails: not-json`,
        ...[accounts, blocks, blocks, virtual].map(
          (method) => `${method} fails: not called: the node does not report its head`,
        ),
      ],
    ],
    [
      'that calls a block irreversible that it does not have',
      { distort: ({ method }, result) => (method === blocks ? { blocks: [] } : result) },
      [
        `${head} works`,
        `${accounts} works`,
        `${blocks} not-served: it returns no block 1: its block log is pruned`,
        `${blocks} fails: behind (no block 1)`,
        `${virtual} fails: behind (no block 1)`,
      ],
    ],
    [
      'whose votes lack a field',
      {
        distort: ({ method }, result) => (method === virtual ? replaced(result, 'pending_payout', 'payout') : result),
      },
      [
        `${head} works`,
        `${accounts} works`,
        `${blocks} works`,
        `${blocks} works`,
        `${virtual} fails: effective_comment_vote_operation of block 5 has no pending_payout that can be decoded`,
      ],
    ],
    [
      'that does not mark blocks as irreversible',
      {
        distort: ({ method }, result) =>
          method === virtual ? replaced(result, '"irreversible":true', '"irreversible":false') : result,
      },
      [
        `${head} works`,
        `${accounts} works`,
        `${blocks} works`,
        `${blocks} works`,
        `${virtual} fails: behind (no irreversible virtual operations of block 1)`,
      ],
    ],
    [
      'that returns no virtual operations',
      { distort: ({ method }, result) => (method === virtual ? { ...(result as object), ops_by_block: [] } : result) },
      [
        `${head} works`,
        `${accounts} works`,
        `${blocks} works`,
        `${blocks} works`,
        `${virtual} fails: behind (no irreversible virtual operations of block 1)`,
      ],
    ],
  ])('shows what fails on a node %s', async (_what, faults, expected) => {
    expect(verdictsOf(await checkWith(faults))).toEqual(expected);
  });

  it('shows how far a node is behind', async () => {
    const { nodes, urls } = await start(['hived', 'hived', 'hived'], genesisBefore(36));
    devnet?.produceBlocks(20);
    nodes[1]?.misbehave({ behindBlocks: 2 });
    nodes[2]?.misbehave({ behindBlocks: 30 });
    const reports = await checkNodes(urls, loginProbes);
    expect(reports).toMatchObject([{ behindBlocks: 0 }, { behindBlocks: 2 }, { behindBlocks: 30 }]);
    expect(reports.map((report) => verdictsOf(report)[0])).toEqual([
      `${head} works`,
      `${head} works`,
      `${head} differs: 30 blocks behind the best node, and called only if no other responds`,
    ]);
    const [lagging] = reports.slice(-1);
    expect(lagging?.lagMs).toBeCloseTo((reports[0]?.lagMs ?? 0) + 90_000, -4);
  });

  it('takes no node with an invented head for the best one', async () => {
    const { nodes, urls } = await start(['hived', 'hived', 'hived']);
    nodes[1]?.misbehave({
      distort: ({ method }, result) =>
        method === head
          ? { ...(result as object), head_block_number: 1_000_000, head_block_id: '000f4240'.padEnd(40, '0') }
          : result,
    });
    const reports = await checkNodes(urls, loginProbes);
    expect(reports.map(({ behindBlocks }) => behindBlocks)).toEqual([0, -999_984, 0]);
    expect(reports.map((report) => verdictsOf(report)[0])).toEqual([
      `${head} works`,
      `${head} differs: ahead of the other nodes or of the clock, and called only if no other responds`,
      `${head} works`,
    ]);
  });

  it('shows that the head of the only node is old', async () => {
    const { urls } = await start(['hived'], genesisBefore(16) - 65);
    const [report] = await checkNodes(urls, loginProbes);
    expect(report && verdictsOf(report)[0]).toMatch(`${head} differs: its head is 6`);
  });

  it('shows no more than 20 characters of a version', async () => {
    const { node, urls } = await start(['hived']);
    node.misbehave({
      distort: ({ method }, result) =>
        method === 'database_api.get_version' ? { ...(result as object), blockchain_version: '1'.repeat(160) } : result,
    });
    expect(await checkNodes(urls, loginProbes)).toMatchObject([{ version: '1'.repeat(20) }]);
  });

  it('waits for a slow method, and no longer than its time limit', async () => {
    const slow = { slowMs: 300, onlyMethods: [accounts] };
    expect((await checkWith(slow)).methods[1]).toMatchObject({ verdict: 'works', ms: expect.any(Number) as unknown });
    await devnet?.stop();
    expect(verdictsOf(await checkWith(slow, { timeoutMs: 100 }))).toContain(`${accounts} fails: timeout`);
  });

  it('ends in time if a node never responds, and makes at most two calls at once', async () => {
    const { node, urls } = await start(['hived']);
    let running = 0;
    let most = 0;
    const counted = Array.from({ length: 8 }, (): Probe => ({
      ...{ method: accounts, purpose: 'a test', requiredNodes: 'one', consequence: 'it fails' },
      run: async (called) => {
        most = Math.max(most, ++running);
        await called.call(accounts, { accounts: ['alice'] }, z.unknown()).finally(() => running--);
        return works;
      },
    }));
    node.misbehave({ hangs: true, onlyMethods: [accounts] });
    const startedMs = performance.now();
    const [report] = await checkNodes(urls, counted, { timeoutMs: 300, limitMs: 450 });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    expect(most).toBe(2);
    const details = report?.methods.slice(1).map(({ detail }) => detail);
    expect(details?.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 'timeout'));
    // Timers may fire a little early, so that the calls in between are made and time out at once.
    expect(details?.at(-1)).toBe('not called: the check took too long');
  });

  it('reports a node that cannot be reached, by host and port alone', async () => {
    const { node, url } = await start(['hived']);
    await node.kill();
    const { host } = new URL(url);
    const reports = await checkNodes([url.replace('//', '//user:secret@')], probes);
    expect(reports).toMatchObject([{ node: host, head: undefined, lagMs: undefined, version: undefined }]);
    expect(reports.map((report) => verdictsOf(report)[0])).toEqual([`${head} fails: unreachable (ECONNREFUSED)`]);
    expect(JSON.stringify(reports)).not.toContain('secret');
  });

  it('rejects a URL that is not one of a node', async () => {
    await expect(checkNodes(['ftp://node'], probes)).rejects.toThrow('URL 1 of the Hive API nodes');
  });
});
