import { type HiveApi } from '@waggle/chain';
import { createLogger } from '../observability/logging';
import { Readiness } from '../observability/readiness';
import { awaitHiveNode, logNodeChanges } from './hive-nodes';

it('logs one line when a node is ejected or restored, with the affected calls and the reason', () => {
  const lines: string[] = [];
  const log = logNodeChanges(createLogger('test', 'info', { write: (line) => lines.push(line) }));
  log({ node: 'one.example:443', change: 'ejected', kinds: ['write'], reason: 'timeout' });
  log({ node: 'one.example:443', change: 'restored', kinds: ['write'] });
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'warn',
      node: 'one.example:443',
      kinds: ['write'],
      reason: 'timeout',
      msg: 'Hive node ejected',
    }),
    expect.objectContaining({ level: 'info', node: 'one.example:443', kinds: ['write'], msg: 'Hive node restored' }),
  ]);
});

const properties = {
  head_block_number: 7,
  head_block_id: '00000007'.padEnd(40, '0'),
  time: '2026-01-01T00:00:00',
  last_irreversible_block_num: 6,
};

/** A node that fails calls while `isAway` is set. */
function nodeThatIsAway() {
  const state = { isAway: true, calls: 0 };
  const api: HiveApi = {
    call: (_method, _params, result) => {
      state.calls += 1;
      return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve(result.parse(properties));
    },
  };
  return { api, state };
}

function logged() {
  const lines: string[] = [];
  return { lines, logger: createLogger('test', 'info', { write: (line) => lines.push(line) }) };
}

it('is unready until a node has responded once, and logs why', async () => {
  const { api, state } = nodeThatIsAway();
  const { lines, logger } = logged();
  const node = awaitHiveNode(api, logger);
  const readiness = new Readiness([node]);
  expect(await readiness.report()).toMatchObject({ ready: false, checks: { hive: 'down' } });
  state.isAway = false;
  await node.wait();
  expect(await readiness.report()).toMatchObject({ ready: true, checks: { hive: 'up' } });
  state.isAway = true;
  const { calls } = state;
  expect(await readiness.report()).toMatchObject({ ready: true });
  expect(state.calls).toBe(calls);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'warn', dependency: 'hive', msg: 'waiting for a dependency to respond' }),
    expect.objectContaining({ level: 'info', dependency: 'hive', msg: 'the dependency responds' }),
  ]);
});

it('calls no node after it is stopped', async () => {
  const { api, state } = nodeThatIsAway();
  const node = awaitHiveNode(api, logged().logger);
  node.stop();
  await node.wait();
  expect(state.calls).toBe(1);
});
