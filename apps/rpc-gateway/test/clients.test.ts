import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { localMethodNames } from '../src/local/local-methods';
import { retiredMethods } from '../src/local/retired-methods';
import { localCalls, startWithSociety, upstreamCalls } from './documented-calls';
import { type WholeWay } from './whole-way';

const calls = Object.entries({ ...localCalls, ...upstreamCalls }).map(([method, params]) => ({ method, params }));
/** What a Hive API would say of it, word for word. */
const refused = { method: 'bridge.account_notifications', params: { account: 'nobody-here' } };
const refusal = 'Account nobody-here does not exist';

const answerList = z.array(z.object({ result: z.unknown().optional(), error: z.string().optional() }));

/** The libraries that applications use, unmodified; hive-js compares the id strictly, so it is for `/rpc` alone. */
describe.each([
  ['dhive', '/rpc'],
  ['dhive', '/rpc/home'],
  ['hive-js', '/rpc'],
  ['wax', '/rpc'],
  ['wax', '/rpc/home'],
])('%s at %s', (library, endpoint) => {
  let answers: z.infer<typeof answerList>;

  beforeAll(async () => {
    answers = await askBy(library, `${way.gateway.url}${endpoint}`, [...calls, refused]);
  });

  it('has a call for every local method', () => {
    const retired = retiredMethods.map(({ name }) => name);
    expect([...Object.keys(localCalls), ...retired].toSorted()).toEqual([...localMethodNames].toSorted());
  });

  it.each(calls.map(({ method }, place) => [method, place] as const))('is answered %s', async (_method, place) => {
    const { method, params } = calls[place] ?? refused;
    const { json } = await way.gateway.call(method, params);
    const { result } = z.object({ result: z.unknown() }).parse(json);
    expect(answers[place]).toEqual({ result });
    expect([null, undefined, [], {}, false]).not.toContainEqual(result);
  });

  it('is told what is wrong', () => {
    // Of every error with this code, hive-js makes an empty list by itself.
    const told =
      library === 'hive-js'
        ? { result: expect.stringContaining('"result":[]') }
        : { error: expect.stringContaining(refusal) };
    expect(answers.at(-1)).toEqual(told);
  });
});

let way: WholeWay;

beforeAll(async () => {
  way = await startWithSociety();
});
afterAll(() => way.stop());

async function askBy(library: string, url: string, asked: readonly object[]) {
  const child = spawn(process.execPath, [path.join(__dirname, 'client-library.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ library, url, calls: asked }));
  return answerList.parse(JSON.parse(await text(child.stdout)));
}
