import { until } from '@waggle/testing';
import { DevnetChain } from '../chain/chain';
import { Devnet } from '../devnet';
import { DevnetNode } from './node';
import { devnetKeys } from '../keys';

let devnet: Devnet;

beforeEach(async () => {
  devnet = await Devnet.start({ nodes: 2 });
  devnet.produceBlocks(5);
});
afterEach(() => devnet.stop());

function fetchFrom(node: DevnetNode, method: string, params: unknown, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return fetch(node.url, { method: 'POST', body, ...(signal && { signal }) });
}

async function ask(
  node: DevnetNode,
  method = 'condenser_api.get_dynamic_global_properties',
  params: unknown = [],
): Promise<unknown> {
  return (await fetchFrom(node, method, params)).json();
}

const withHead = (number: number) => ({ id: 1, result: { head_block_number: number } });

describe('two nodes', () => {
  it('serve one chain, each with its own injected faults and counts', async () => {
    const [first, second] = devnet.nodes;
    if (!first || !second) throw new Error('there must be two');
    expect(first.url).not.toBe(second.url);
    first.misbehave({ wrong: 503 });
    expect((await fetchFrom(first, 'block_api.get_block', { block_num: 1 })).status).toBe(503);
    expect(await ask(second)).toMatchObject(withHead(devnet.chain.head.number));
    await ask(second);
    expect([...second.calls]).toEqual([['condenser_api.get_dynamic_global_properties', 2]]);
    expect([...first.calls]).toEqual([['block_api.get_block', 1]]);
  });
});

describe('a node', () => {
  it('that is slow responds late', async () => {
    devnet.node.misbehave({ slowMs: 150 });
    const before = performance.now();
    expect(await ask(devnet.node)).toMatchObject(withHead(devnet.chain.head.number));
    expect(performance.now() - before).toBeGreaterThanOrEqual(149);
  });

  it('that is very slow can be stopped', async () => {
    devnet.node.misbehave({ slowMs: 3_600_000 });
    const response = fetchFrom(devnet.node, 'condenser_api.get_config', []);
    const rejected = expect(response).rejects.toThrow();
    await until(() => devnet.node.calls.size > 0);
    await devnet.stop();
    await rejected;
  });

  it.each([429, 502, 503] as const)('that fails responds with status %i', async (status) => {
    devnet.node.misbehave({ wrong: status });
    expect((await fetchFrom(devnet.node, 'condenser_api.get_config', [])).status).toBe(status);
  });

  it('that fails responds with a page, truncated JSON, nothing, or the response to another request', async () => {
    const { node } = devnet;
    const text = async () => (await fetchFrom(node, 'condenser_api.get_account_count', [])).text();
    node.misbehave({ wrong: 'html' });
    expect(await text()).toContain('<html>');
    node.misbehave({ wrong: 'truncated' });
    const half = await text();
    expect(half).toContain('{"jsonrpc"');
    expect(() => JSON.parse(half) as unknown).toThrow(SyntaxError);
    node.misbehave({ wrong: 'empty' });
    expect(await text()).toBe('');
    node.misbehave({ wrong: 'wrong-id' });
    expect(await ask(node)).toMatchObject({ id: 'of-another-request', result: {} });
    node.behave();
    expect(await ask(node)).toMatchObject(withHead(devnet.chain.head.number));
  });

  it('that fails breaks the connection, before or in the middle of the response', async () => {
    const { node } = devnet;
    node.misbehave({ wrong: 'reset' });
    await expect(ask(node)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    node.misbehave({ wrong: 'aborted' });
    const response = await fetchFrom(node, 'condenser_api.get_account_count', []);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    node.behave();
    expect(await ask(node)).toMatchObject(withHead(devnet.chain.head.number));
  });

  it('that hangs does not respond until the client disconnects', async () => {
    const { node } = devnet;
    node.misbehave({ hangs: true });
    const leaving = new AbortController();
    const response = fetchFrom(node, 'condenser_api.get_config', [], leaving.signal);
    const left = expect(response).rejects.toThrow('aborted');
    await until(() => node.calls.size > 0);
    node.behave();
    expect(await ask(node)).toMatchObject(withHead(devnet.chain.head.number));
    leaving.abort();
    await left;
  });

  it.each([{ code: -32000, message: 'Server error' }, 'a text', null])(
    'that fails responds with the error %j',
    async (error) => {
      const { node } = devnet;
      node.misbehave({ error });
      expect(await ask(node)).toEqual({ jsonrpc: '2.0', error, id: 1 });
    },
  );

  it('has an injected fault only in the named methods', async () => {
    const { node } = devnet;
    const count = 'condenser_api.get_account_count';
    node.misbehave({ wrong: 503, error: { code: 1 }, onlyMethods: [count], behindBlocks: 2 });
    expect((await fetchFrom(node, count, [])).status).toBe(503);
    expect(await ask(node)).toMatchObject(withHead(devnet.chain.head.number - 2));
    node.misbehave({ error: { code: 1 }, onlyMethods: [count] });
    const batch = [count, 'condenser_api.get_config'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }));
    const response = await fetch(node.url, { method: 'POST', body: JSON.stringify(batch) });
    expect(await response.json()).toMatchObject([{ error: { code: 1 } }, { result: {} }]);
  });

  it('counts broadcasts, and executes them regardless of its response', async () => {
    const { node, chain } = devnet;
    const value = { required_auths: [], required_posting_auths: ['alice'], id: 'x', json: '{}' };
    const sender = new DevnetChain();
    sender.produceBlocks(5);
    const { refBlockNum, refBlockPrefix, expiration, signatures } = sender.include(
      [['custom_json', value]],
      [devnetKeys('alice').posting.wif],
    );
    const place = { ref_block_num: refBlockNum, ref_block_prefix: refBlockPrefix, expiration, extensions: [] };
    const transaction = { ...place, signatures, operations: [['custom_json', value]] };
    node.misbehave({ error: { code: 1 } });
    await ask(node, 'condenser_api.broadcast_transaction', [transaction]);
    expect(devnet.produceBlock().transactions).toEqual([]);
    node.misbehave({ wrong: 502 });
    await fetchFrom(node, 'condenser_api.broadcast_transaction', [transaction]);
    expect(devnet.produceBlock().transactions).toHaveLength(1);
    expect([node.broadcasts, devnet.broadcasts]).toEqual([2, 2]);
    expect(chain.head.transactions[0]?.signatures).toEqual(signatures);
  });

  it('that lags returns earlier data', async () => {
    const { node, chain } = devnet;
    const oldKey = devnetKeys('alice').posting.publicKey;
    const newKey = devnetKeys('bob').posting.publicKey;
    devnet.changeKey('alice', 'posting', newKey);
    const head = chain.head.number;
    node.misbehave({ behindBlocks: 2 });
    expect(await ask(node)).toMatchObject(withHead(head - 2));
    expect(await ask(node, 'block_api.get_block', { block_num: head - 1 })).toMatchObject({ result: {} });
    const postingOf = (key: string) => ({ result: [{ posting: { key_auths: [[key, 1]] } }] });
    expect(await ask(node, 'condenser_api.get_accounts', [['alice']])).toMatchObject(postingOf(oldKey));
    node.behave();
    expect(await ask(node, 'condenser_api.get_accounts', [['alice']])).toMatchObject(postingOf(newKey));
  });

  it('that is killed accepts no connections, and revives on the same port', async () => {
    const { node } = devnet;
    await ask(node);
    await node.kill();
    await expect(ask(node)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await node.revive();
    expect(await ask(node)).toMatchObject(withHead(devnet.chain.head.number));
  });

  it('that dies resets pending responses', async () => {
    const { node } = devnet;
    node.misbehave({ slowMs: 3_600_000 });
    const rejected = expect(ask(node)).rejects.toThrow('fetch failed');
    await until(() => node.calls.size > 0);
    await node.kill();
    await rejected;
  });

  it('with wrong data returns a block with a wrong previous id, without content, or not at all', async () => {
    const { node, chain } = devnet;
    const truth = chain.findBlock(1);
    const blockOne = () => ask(node, 'block_api.get_block', { block_num: 1 });
    node.misbehave({ lies: [{ kind: 'altered', blockNumber: 1 }] });
    expect(await blockOne()).toMatchObject({
      result: { block: { block_id: truth?.id, witness: 'mallory', transactions: [] } },
    });
    const range = { starting_block_num: 3, count: 3 };
    node.misbehave({ lies: [{ kind: 'missing', blockNumber: 4 }] });
    const idsOf = (numbers: number[]) => ({
      blocks: numbers.map((number) => ({ block_id: chain.findBlock(number)?.id })),
    });
    expect(await ask(node, 'block_api.get_block_range', range)).toMatchObject({ result: idsOf([3, 5]) });
    node.misbehave({ lies: [{ kind: 'wrong-previous', blockNumber: 4 }] });
    const block = {
      block_id: chain.findBlock(4)?.id,
      previous: expect.not.stringMatching(chain.findBlock(3)?.id ?? '') as unknown,
    };
    expect(await ask(node, 'block_api.get_block', { block_num: 4 })).toMatchObject({ result: { block } });
  });

  it('with wrong data omits virtual operations', async () => {
    const { node } = devnet;
    node.misbehave({ lies: [{ kind: 'no-virtual-operations', blockNumber: 4 }] });
    const query = { block_range_begin: 3, block_range_end: 6 };
    expect(await ask(node, 'account_history_api.enum_virtual_ops', query)).toMatchObject({
      result: { ops: [{ block: 3 }, { block: 5 }] },
    });
  });

  it('without an API reports that it is missing', async () => {
    const { node } = devnet;
    node.misbehave({ without: ['account_history_api'] });
    const message = expect.stringContaining('Could not find API account_history_api') as unknown;
    expect(await ask(node, 'account_history_api.get_ops_in_block', { block_num: 1 })).toMatchObject({
      error: { message },
    });
    expect(await ask(node)).toMatchObject(withHead(devnet.chain.head.number));
  });

  it('allows pages of any origin', async () => {
    const response = await fetch(devnet.url, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('reports that its port is taken', async () => {
    const port = Number(new URL(devnet.url).port);
    await expect(DevnetNode.start(devnet.chain, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
