import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { devnetKeys } from '@waggle/devnet';
import { Command } from '@waggle/running';
import { commandsIn, findFreePort, findProcess, processesUnder, until } from '@waggle/testing';
import { programs } from '../src/local-stack/programs';

// The whole stack starts, several times. Each time takes some ten seconds of a core: tests share it where they can.
jest.setTimeout(120_000);

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-run-'));
let environment: NodeJS.ProcessEnv;
let dataFolder = '';
const commands: Command[] = [];
let shared: Command | undefined;

beforeAll(async () => {
  environment = { WAGGLE_STATE: path.join(folder, 'state') };
  for (const { port } of programs) environment[port.variable] = String(await findFreePort());
});

afterEach(async () => {
  for (const command of commands.splice(0)) await command.end('SIGTERM');
});

afterAll(async () => {
  await endShared();
  rmSync(folder, { recursive: true });
  // As root the data lie outside of the state folder.
  if (dataFolder !== '') rmSync(path.dirname(dataFolder), { recursive: true, force: true });
});

function run(name: string, ...args: string[]): Command {
  const command = new Command(`tools/local/dist/${name}.js`, args, environment);
  commands.push(command);
  return command;
}

/** A line of a document: `npm run chat -- --as alice`. */
function runLine(line: string): Command {
  const [, name = '', args = ''] = /^npm run ([\w-]+) -- (.*)$/.exec(line) ?? [];
  return run(name, ...args.split(' '));
}

async function untilRuns(stack: Command): Promise<void> {
  await stack.line('Ctrl-C stops everything');
  dataFolder = (await stack.line('  data ')).trim().split(/\s+/)[1] ?? '';
}

/** The stack that the tests before have left running, or a new one; it goes on running after the test. */
async function running(): Promise<Command> {
  if (shared === undefined) {
    shared = new Command('tools/local/dist/start.js', [], environment);
    await untilRuns(shared);
  }
  return shared;
}

async function endShared(): Promise<number | null | undefined> {
  const stack = shared;
  shared = undefined;
  return await stack?.end('SIGTERM');
}

/** What `npm start -- chat` runs: less to wait for, where it does not matter what is started. Packages are left alone, and the build is tsc's own: Nx would fetch folders from its cache anew. */
function npmStart(): Command {
  const variables = { npm_lifecycle_event: 'start', WAGGLE_SKIP_INSTALL: 'true', NX_SKIP_NX_CACHE: 'true' };
  const command = new Command('tools/run.mjs', ['start', 'chat'], { ...environment, ...variables }, true);
  commands.push(command);
  return command;
}

function untilGone(pids: number[]): Promise<void> {
  return until(() => pids.every((pid) => findProcess(pid) === undefined));
}

it('gives a token of the video log-in, and says that its key ends with it', async () => {
  const stack = await running();
  expect(await stack.line('made a key for this process')).toMatch(/^video-auth \| /);
  const login = run('video-login', '--as', 'alice');
  expect({ code: await login.end(), output: login.output }).toMatchObject({ code: 0 });
  expect(login.output).toMatch(/^Signed: +\{"account":"alice","ts":"[^"]+"\}$/m);
  expect(login.output).toMatch(/^Token: +eyJ[\w-]+\.[\w-]+\.[\w-]+$/m);
  expect(login.output).toMatch(/^Says: +\{.*"sub":"singleton\/hive\/alice".*\}$/m);
  expect(login.output).toMatch(/^Check: +200 \{"ok":true\}$/m);

  const stranger = run('video-login', '--as', 'bob', '--key', devnetKeys('alice').posting.wif);
  expect(await stranger.end()).toBe(1);
  expect(stranger.output).toMatch(/^The service does not let bob in: INVALID_SIGNATURE, /);
});

it('says plainly that it runs already', async () => {
  await running();
  const second = run('start');
  expect(await second.end()).toBe(1);
  expect(second.output).toMatch(/^npm start runs in this folder already \(process \d+\)/);
});

/** The examples that `npm start` prints; the chain's first blocks have to be irreversible, and read. */
async function untilLineAnswers(path: string, text: string): Promise<void> {
  await untilCurlAnswers(await (await running()).line(path), text);
}

/** @param line `curl '<url>' -d '<body>'`, or the two the other way round; nothing else is known here of curl */
async function untilCurlAnswers(line: string, text: string): Promise<void> {
  const [, , before, url = '', , after] =
    /curl (-d '([^']+)' )?'?(http[^' ]+)'?( -d '([^']+)')?$/.exec(line.trim()) ?? [];
  const body = before ?? after;
  const answer = async () => (await fetch(url, body === undefined ? {} : { method: 'POST', body })).text();
  await until(async () => (await answer()).includes(text), { limitMs: 100_000, instead: answer });
}

async function expectIndexes(): Promise<void> {
  await untilLineAnswers('/api/deleg/in', '"delegator":"carol","amount":12345.678901');
  await untilLineAnswers("/rpc' -d", '"msg":"@bob replied to your post"');
}

it('answers who delegates to whom, and what alice is notified of', expectIndexes);

it('streams what alice is notified of', async () => {
  const [, url = ''] = /curl -N '(.*)'/.exec(await (await running()).line('/events?')) ?? [];
  const response = await fetch(url, { signal: AbortSignal.timeout(100_000) });
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('replied to your post')) break;
  }
  expect(text).toMatch(/^event: notification\ndata: \{"account":"alice","id":\d+,"type":"reply"/m);
});

it('answers what the READMEs of the services ask', async () => {
  await running();
  /** The services have other ports here. */
  const here = (line: string) => {
    const program = programs.find(({ port }) => line.includes(`//localhost:${port.byDefault}/`));
    return line.replace(/localhost:\d+/, `127.0.0.1:${environment[program?.port.variable ?? ''] ?? ''}`);
  };
  const asks = (lines: readonly string[]) => here(lines.find((line) => line.startsWith('curl ')) ?? '');
  await untilCurlAnswers(asks(commandsIn('apps/delegation/README.md', 'Run')), '"delegator":"carol"');
  await untilCurlAnswers(asks(commandsIn('apps/rpc-gateway/README.md', 'Run')), '"msg":"@bob replied to your post"');
});

it('carries messages between two terminals, over a restart, and finds the old ones', async () => {
  const first = await running();
  const children = processesUnder(first.pid);
  // What the README says to run.
  const [, , ...lines] = commandsIn('README.md', 'Two commands');
  expect(lines).toHaveLength(2);
  const [alice, bob] = [runLine(lines[0] ?? ''), runLine(lines[1] ?? '')];
  await Promise.all([alice, bob].map((terminal) => terminal.line('You are')));
  alice.type('hello bob');
  await bob.line('alice: hello bob');
  // The chat refuses ESC; DEL it takes.
  bob.type('hello \u007falice');
  await alice.line('bob: hello ␡alice');
  alice.type('@carol are you there?');
  await alice.line('alice: are you there?');
  alice.type('@nosuchaccount hi');
  expect(await alice.line('Not sent')).toContain('account-not-found');

  expect(await endShared()).toBe(0);
  expect(children.length).toBeGreaterThan(3);
  await untilGone(children);
  await bob.line('Connecting again');
  bob.type('typed while nobody listened');

  await running();
  await alice.line('Connected again.');
  await bob.line('bob: typed while nobody listened');
  await alice.line('bob: typed while nobody listened');
  bob.endInput();
  expect(await bob.end()).toBe(0);

  const carol = run('chat', '--as', 'carol', '--to', 'alice');
  await carol.line('alice: are you there?');
  const bobAgain = run('chat', '--as', 'bob');
  await bobAgain.line('typed while nobody listened');
  expect(bobAgain.output.match(/alice: hello bob/g)).toHaveLength(1);
});

it('answers the same of a chain that has begun anew', expectIndexes);

it('stops everything and says why when a service dies', async () => {
  const stack = await running();
  const children = processesUnder(stack.pid);
  const chat = children.find((pid) => findProcess(pid)?.command.includes('apps/chat/dist/main.js'));
  process.kill(chat ?? 0, 'SIGKILL');
  shared = undefined;
  expect(await stack.end()).toBe(1);
  expect(stack.output).toContain('The chat ended unexpectedly with SIGKILL.');
  await untilGone(children);
});

it('ends everything at one Ctrl-C, as npm start runs it', async () => {
  await endShared();
  const stack = npmStart();
  await stack.line('Ctrl-C stops everything');
  const children = processesUnder(stack.pid);
  // PostgreSQL, devnet and chat, each with its guard.
  expect(children.length).toBeGreaterThan(5);
  stack.interrupt();
  expect(await stack.end()).toBe(0);
  expect(stack.output).toMatch(/^Building\.$[^]*^Stopping\.$[^]*^Stopped\.$/m);
  await untilGone(children);
});

it('says plainly which services there are', async () => {
  const stack = run('start', 'chess');
  expect(await stack.end()).toBe(1);
  expect(stack.output).toBe('There is no service chess; there are chat, delegation, video-auth, rpc-gateway.');
});

it('says plainly that a port is taken, before it starts anything', async () => {
  await endShared();
  const server = createServer().listen(Number(environment['CHAT_PORT']), '127.0.0.1');
  const stack = run('start');
  expect(await stack.end()).toBe(1);
  expect(stack.output).toMatch(/^Port \d+ for the chat is taken\. Choose another one: CHAT_PORT=\d+ npm start$/);
  server.close();
});

it('leaves nothing behind when it is killed', async () => {
  await endShared();
  const stack = run('start', 'chat');
  await untilRuns(stack);
  const children = processesUnder(stack.pid);
  await stack.end('SIGKILL');
  await untilGone(children);
});

it('says plainly that no service answers', async () => {
  const terminal = run('chat', '--as', 'alice', '--url', `http://127.0.0.1:${await findFreePort()}`);
  expect(await terminal.end()).toBe(1);
  expect(terminal.output).toMatch(/^No chat service answers at \S+; npm start runs one\.$/);
});
