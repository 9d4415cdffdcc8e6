import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { devnetKeys } from '@waggle/devnet';
import { commandsIn, exampleIn, GuardedProcess, runExample, until } from '@waggle/testing';
import { isLong, longTest } from '@waggle/testing/long-form';
import { z } from 'zod';
import { ChatUnderTest } from '../support/chat-under-test';
import { Clients, receivedTexts, next } from './clients';

const app = path.resolve(__dirname, '..', '..');
const root = path.resolve(app, '..', '..');
const library = path.join(root, 'libs', 'client');

/** A platform that has a WebSocket of its own, and whose bundler obeys the condition `browser`. */
const pageLike = ['--conditions=browser', '--experimental-websocket', '--no-warnings'];

let chat: ChatUnderTest;
const clients = new Clients();
const programs: GuardedProcess[] = [];

beforeAll(async () => {
  chat = await ChatUnderTest.start();
});
afterEach(async () => {
  await clients.close();
  for (const program of programs.splice(0)) await program.stop();
});
afterAll(() => chat.stop());

/** Runs an ES module as a user's program, with the library as it was built. */
async function run(code: string, flags: string[] = []): Promise<{ program: GuardedProcess; lines: string[] }> {
  const lines: string[] = [];
  const program = await GuardedProcess.start(process.execPath, [...flags, '--input-type=module', '--eval', code], {
    cwd: app,
    env: { CHAT_URL: chat.instance.url, ACCOUNT: 'bob', POSTING_KEY: devnetKeys('bob').posting.wif },
    onLine: (line) => lines.push(line),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  programs.push(program);
  return { program, lines };
}

it('runs the bot of the README, which replies and stops on SIGTERM', async () => {
  const { program, lines } = await run(exampleIn('libs/client/README.md', 'A bot, on Node'));
  await until(() => lines.includes('Connected as bob.'), { actual: () => lines });
  const alice = await clients.connect('alice', chat.instance.url);
  const texts = receivedTexts(alice);
  await alice.sendTo('bob', 'hello');
  await until(() => texts.length === 2, { actual: () => [texts, lines] });
  expect(texts).toEqual(['hello', 'You said: hello']);
  expect(await program.stop()).toEqual({ code: 0, signal: null });
  expect(lines).toEqual(['Connected as bob.', 'Ended: closed.']);
});

// Each program costs a second of CPU time.
it.each([['fast', 600_000] as const, ...(isLong ? [['slow', -600_000] as const] : [])])(
  'logs in although its clock is %s',
  async (_what, aheadMs) => {
    const clock = `const now = Date.now; Date.now = () => now() + ${aheadMs};\n`;
    const { lines } = await run(clock + exampleIn('libs/client/README.md', 'A bot, on Node'));
    await until(() => lines.includes('Connected as bob.'), { actual: () => lines });
  },
);

// So does the page of the README.
longTest('runs over a WebSocket of the platform, without ws', async () => {
  const bot = exampleIn('libs/client/README.md', 'A bot, on Node');
  const watch = `
    import { createRequire } from 'node:module';
    const { cache } = createRequire(import.meta.url);
    console.log(Object.keys(cache).some((file) => /node_modules.ws./.test(file)) ? 'with ws' : 'without ws');
    console.log(typeof WebSocket);
  `;
  const { program, lines } = await run(bot + watch, pageLike);
  await until(() => lines.length === 3, { actual: () => lines });
  expect(lines).toEqual(['Connected as bob.', 'without ws', 'function']);
  const alice = await clients.connect('alice', chat.instance.url);
  const responses = next(alice, 'chat-message');
  await alice.sendTo('bob', 'hello');
  await responses;
  expect(await program.stop()).toEqual({ code: 0, signal: null });
});

describe('the page of the README', () => {
  /** Runs the page until SIGTERM. @param saved tokens of an earlier session */
  const open = (saved?: string) =>
    run(
      `
    import { PrivateKey, cryptoUtils } from '@hiveio/dhive';
    const { CHAT_URL: url, ACCOUNT: account, POSTING_KEY } = process.env;
    const items = new Map(${JSON.stringify(saved === undefined ? [] : [['chat', saved]])});
    globalThis.localStorage = {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => items.set(key, value),
      removeItem: (key) => items.delete(key),
    };
    globalThis.addEventListener = () => undefined;
    globalThis.hive_keychain = {
      requestSignBuffer: (name, text, role, callback) =>
        callback({ success: true, result: PrivateKey.fromString(POSTING_KEY).sign(cryptoUtils.sha256(text)).toString() }),
    };
    const show = ({ conversations }) => console.log('shown', conversations.map(({ last_message }) => last_message.content).join());
    const append = ({ content }, position) => console.log('appended', content, position.seq);
    const askToLogIn = () => console.log('log in again,', items.size, 'saved');
    ${exampleIn('libs/client/README.md', 'A page')}
    await new Promise((done) => process.once('SIGTERM', done)); await chat.close();
  `,
      pageLike,
    );

  it('shows the state and later events', async () => {
    const alice = await clients.connect('alice', chat.instance.url);
    const first = await alice.sendTo('bob', 'before the page');
    const { program, lines } = await open();
    await until(() => lines.includes('shown before the page'), { actual: () => lines });
    const { seq } = await alice.send(first.conversation_id, 'while it is open');
    await until(() => lines.includes(`appended while it is open ${seq ?? ''}`), { actual: () => lines });
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    expect(lines).toHaveLength(2);
  });

  it('forgets tokens that are rejected', async () => {
    const token = { admin: false, accessToken: 'x', webSocketToken: 'x', refreshToken: 'x' };
    const { lines } = await open(JSON.stringify({ account: 'bob', ...token }));
    await until(() => lines.length > 0, { actual: () => lines });
    // Then the rejection of `connect` ends the program.
    expect(lines[0]).toBe('log in again, 0 saved');
  });
});

it('opens a conversation as the README shows, with no message twice or missing', async () => {
  const [alice, bob] = [
    await clients.connect('alice', chat.instance.url),
    await clients.connect('bob', chat.instance.url),
  ];
  const { conversation_id: id } = await alice.sendTo('bob', 'before it is opened');
  const result = await runExample(exampleIn('libs/client/README.md', 'Load state'), {
    globals: { chat: bob },
    results: ['open'],
  });
  const { open } = z
    .object({ open: z.custom<(id: string) => Promise<unknown>>((value) => typeof value === 'function') })
    .parse(result);
  const opened = z.object({ messages: z.array(z.object({ content: z.string() })) }).parse(await open(id));
  expect(opened.messages.at(-1)?.content).toBe('before it is opened');
  const texts = receivedTexts(bob);
  await alice.send(id, 'after it');
  await until(() => texts.includes('after it'), { actual: () => texts });
});

it('is packed, as the README says, with every file that its exports name', async () => {
  const [, packing = '', installing] = commandsIn('libs/client/README.md', 'Install');
  const [npm = '', ...words] = packing.split(' ');
  const { stdout } = await promisify(execFile)(npm, [...words, '--dry-run', '--json'], { cwd: root });
  const [{ filename, files }] = z
    .tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })])
    .parse(JSON.parse(stdout));
  expect(installing).toBe(`npm install …/${filename}`);
  const { exports } = z
    .object({ exports: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(path.join(library, 'package.json'), 'utf8')));
  expect(Object.keys(exports)).toEqual(['.', './browser', './notifications', './package.json']);
  const named = Array.from(JSON.stringify(exports).matchAll(/:"(\.[^"]+)"/g), ([, file]) => file);
  expect(named.length).toBeGreaterThan(15);
  expect(files.map((file) => `./${file.path}`)).toEqual(expect.arrayContaining(named));
});
