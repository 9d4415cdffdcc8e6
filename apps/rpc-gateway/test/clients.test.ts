import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { localMethodNames } from '../src/local/local-methods';
import { retiredMethods } from '../src/local/methods/retired-methods';
import { localCalls, startWithActivity, upstreamCalls } from './documented-calls';
import { type GatewayStack } from './gateway-stack';

const calls = Object.entries({ ...localCalls, ...upstreamCalls }).map(([method, params]) => ({ method, params }));
/** The error message of a Hive API. */
const unknownAccount = { method: 'bridge.account_notifications', params: { account: 'nobody-here' } };
const errorMessage = 'Account nobody-here does not exist';

const outcomeList = z.array(z.object({ result: z.unknown().optional(), error: z.string().optional() }));

/** The unmodified libraries of applications. hive-js compares the id strictly, so it works only with `/rpc`. */
describe.each([
  ['dhive', '/rpc'],
  ['dhive', '/rpc/home'],
  ['hive-js', '/rpc'],
  ['wax', '/rpc'],
  ['wax', '/rpc/home'],
])('%s at %s', (library, endpoint) => {
  let outcomes: z.infer<typeof outcomeList>;

  beforeAll(async () => {
    outcomes = await callThrough(library, `${stack.gateway.url}${endpoint}`, [...calls, unknownAccount]);
  });

  it('has a call for every local method', () => {
    const retired = retiredMethods.map(({ name }) => name);
    expect([...Object.keys(localCalls), ...retired].toSorted()).toEqual([...localMethodNames].toSorted());
  });

  it.each(calls.map(({ method }, index) => [method, index] as const))(
    'gets the result of %s',
    async (_method, index) => {
      const { method, params } = calls[index] ?? unknownAccount;
      const { json } = await stack.gateway.call(method, params);
      const { result } = z.object({ result: z.unknown() }).parse(json);
      expect(outcomes[index]).toEqual({ result });
      expect([null, undefined, [], {}, false]).not.toContainEqual(result);
    },
  );

  it('gets the error message', () => {
    // hive-js turns every error with this code into an empty list.
    const expected =
      library === 'hive-js'
        ? { result: expect.stringContaining('"result":[]') }
        : { error: expect.stringContaining(errorMessage) };
    expect(outcomes.at(-1)).toEqual(expected);
  });
});

let stack: GatewayStack;

beforeAll(async () => {
  stack = await startWithActivity();
});
afterAll(() => stack.stop());

async function callThrough(library: string, url: string, clientCalls: readonly object[]) {
  const child = spawn(process.execPath, [path.join(__dirname, 'client-library.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ library, url, calls: clientCalls }));
  return outcomeList.parse(JSON.parse(await text(child.stdout)));
}
