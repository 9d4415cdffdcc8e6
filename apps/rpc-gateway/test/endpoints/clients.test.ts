import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { isLong } from '@waggle/testing/long-form';
import { z } from 'zod';
import { localMethodNames } from '../../src/local/local-methods';
import { retiredMethods } from '../../src/local/methods/retired-methods';
import { localCalls, startWithActivity, upstreamCalls } from '../support/documented-calls';
import { type GatewayStack } from '../support/gateway-stack';

const calls = Object.entries({ ...localCalls, ...upstreamCalls }).map(([method, params]) => ({ method, params }));
/** The error message of a Hive API. */
const unknownAccount = { method: 'bridge.account_notifications', params: { account: 'nobody-here' } };
const errorMessage = 'Account nobody-here does not exist';

const outcomeList = z.array(z.object({ result: z.unknown().optional(), error: z.string().optional() }));

it('every local method has a documented call', () => {
  const retired = retiredMethods.map(({ name }) => name);
  expect([...Object.keys(localCalls), ...retired].toSorted()).toEqual(
    localMethodNames.filter((name) => !name.startsWith('/')).toSorted(),
  );
});

/**
 * The unmodified libraries of applications, in the short form at one endpoint each. hive-js compares the id strictly,
 * so it works only with `/rpc`.
 */
describe.each([
  ['dhive', ['/rpc', ...(isLong ? ['/rpc/home'] : [])]],
  ['hive-js', ['/rpc']],
  ['wax', ['/rpc/home', ...(isLong ? ['/rpc'] : [])]],
])('%s', (library, endpoints) => {
  let outcomesOf: Map<string, z.infer<typeof outcomeList>>;

  beforeAll(async () => {
    const urls = endpoints.map((endpoint) => `${stack.gateway.url}${endpoint}`);
    const outcomes = await callThrough(library, urls, [...calls, unknownAccount]);
    outcomesOf = new Map(endpoints.map((endpoint, index) => [endpoint, outcomes[index] ?? []]));
  });

  describe.each(endpoints)('at %s', (endpoint) => {
    it.each(calls.map(({ method }, index) => [method, index] as const))(
      'gets the result of %s',
      async (_method, index) => {
        const { method, params } = calls[index] ?? unknownAccount;
        const { json } = await stack.gateway.call(method, params);
        const { result } = z.object({ result: z.unknown() }).parse(json);
        expect(outcomesOf.get(endpoint)?.[index]).toEqual({ result });
        expect([null, undefined, [], {}, false]).not.toContainEqual(result);
      },
    );

    it('gets the error message', () => {
      // hive-js turns every error with this code into an empty list.
      const expected =
        library === 'hive-js'
          ? { result: expect.stringContaining('"result":[]') }
          : { error: expect.stringContaining(errorMessage) };
      expect(outcomesOf.get(endpoint)?.at(-1)).toEqual(expected);
    });
  });
});

let stack: GatewayStack;

beforeAll(async () => {
  stack = await startWithActivity();
});
afterAll(() => stack.stop());

/** @returns the outcomes of each URL */
async function callThrough(library: string, urls: readonly string[], clientCalls: readonly object[]) {
  const child = spawn(process.execPath, [path.join(__dirname, 'client-library.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ library, urls, calls: clientCalls }));
  return z.array(outcomeList).parse(JSON.parse(await text(child.stdout)));
}
