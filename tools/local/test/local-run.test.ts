import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { devnetKeys } from '@waggle/devnet';
import { Command, type CommandOptions } from '@waggle/running/command';
import { commandsIn, findFreePort, findProcess, processesUnder, until } from '@waggle/testing';
import { isLong, longTest } from '@waggle/testing/long-form';
import { z } from 'zod';
import { programs } from '../src/local-stack/programs';

// A start of the whole stack takes about ten seconds of a core, so tests share a stack if they can. The short form
// starts the whole stack once, and then single services.
const folder = mkdtempSync(path.join(tmpdir(), 'waggle-run-'));
let environment: NodeJS.ProcessEnv;
let dataFolder = '';
const commands: Command[] = [];
let shared: Command | undefined;
/** The services that start again on the data of an earlier start. */
const restarted = isLong ? ['chat', 'delegation'] : ['chat'];

beforeAll(async () => {
  environment = {
    WAGGLE_STATE: path.join(folder, 'state'),
    BEARER_ORIGINS: 'https://app.example',
    DATABASE_URL: 'postgres://user@elsewhere.example/chat',
  };
  for (const { port } of programs) environment[port.variable] = String(await findFreePort());
});

afterEach(async () => {
  for (const command of commands.splice(0)) await command.end('SIGTERM');
});

afterAll(async () => {
  await endShared();
  rmSync(folder, { recursive: true });
  // For root the data folder is outside the state folder.
  if (dataFolder !== '') rmSync(path.dirname(dataFolder), { recursive: true, force: true });
});

function run(name: string, ...args: string[]): Command {
  return runWith({}, name, ...args);
}

function runWith(options: CommandOptions, name: string, ...args: string[]): Command {
  const command = new Command(`tools/local/dist/${name}.js`, args, environment, options);
  commands.push(command);
  return command;
}

/** Runs a line of a document, such as `npm run chat -- --as alice`. */
function runLine(line: string): Command {
  const [, name = '', args = ''] = /^npm run ([\w-]+) -- (.*)$/.exec(line) ?? [];
  return run(name, ...args.split(' '));
}

async function untilReady(stack: Command): Promise<void> {
  await stack.line('Ctrl-C stops everything');
  dataFolder = (await stack.line('  data ')).trim().split(/\s+/)[1] ?? '';
}

/**
 * Returns the stack that earlier tests left running, or starts one with these services, by default all. It keeps
 * running after the test.
 */
async function running(...services: string[]): Promise<Command> {
  if (shared === undefined) {
    shared = new Command('tools/local/dist/start.js', services, environment);
    await untilReady(shared);
  }
  return shared;
}

async function endShared(): Promise<void> {
  const stack = shared;
  shared = undefined;
  await stack?.end('SIGTERM');
}

/**
 * Runs `npm start` with a service in a terminal, without a build: it would replace files that tests running in parallel
 * read.
 */
function npmStart(service: string): Command {
  const variables = { npm_lifecycle_event: 'start', WAGGLE_SKIP_SETUP: 'true' };
  const command = new Command(
    'tools/run.mjs',
    ['start', service],
    { ...environment, ...variables },
    { hasTerminal: true },
  );
  commands.push(command);
  return command;
}

function untilGone(pids: number[]): Promise<void> {
  return until(() => pids.every((pid) => findProcess(pid) === undefined));
}

it('prints a token of the video log-in, and logs that its key is temporary', async () => {
  const stack = await running();
  expect(await stack.line('generated a key for this process')).toMatch(/^video-auth \| /);
  const login = run('video-login', '--as', 'alice');
  expect({ code: await login.end(), output: login.output }).toMatchObject({ code: 0 });
  expect(login.output).toMatch(/^Signed: +\{"account":"alice","ts":"[^"]+"\}$/m);
  expect(login.output).toMatch(/^Token: +eyJ[\w-]+\.[\w-]+\.[\w-]+$/m);
  expect(login.output).toMatch(/^Claims: +\{.*"sub":"singleton\/hive\/alice".*\}$/m);
  expect(login.output).toMatch(/^Check: +200 \{"ok":true\}$/m);

  const wrongKey = run('video-login', '--as', 'bob', '--key', devnetKeys('alice').posting.wif);
  expect(await wrongKey.end()).toBe(1);
  expect(wrongKey.output).toMatch(/^bob cannot log in: INVALID_SIGNATURE, /);
});

it('passes on the settings that it does not choose, and lists both kinds', async () => {
  const { output } = await running();
  expect(output).toMatch(/^Passed on to the services: BEARER_ORIGINS\.$/m);
  expect(output).toMatch(/^Ignored, because npm start chooses them: DATABASE_URL\.$/m);
  const headers = { Origin: 'https://app.example' };
  const response = await fetch(`http://127.0.0.1:${environment['CHAT_PORT']}/health/live`, { headers });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
});

it('prints addresses that lead to pages', async () => {
  const { output } = await running();
  const pages: string[] = [];
  for (const name of ['chat', 'delegation', 'video-auth', 'rpc-gateway']) {
    const [, url = ''] = new RegExp(`^  ${name} +(http\\S+)`, 'm').exec(output) ?? [];
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(url, { method });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^text\/html/),
      ]);
      pages.push(new URL(response.url).pathname);
    }
  }
  expect([...new Set(pages)]).toEqual(['/app/', '/', '/api/v1/docs', '/status/']);
});

it('reports that it is already running', async () => {
  await running();
  const second = run('start');
  expect(await second.end()).toBe(1);
  expect(second.output).toMatch(/^npm start runs in this folder already \(process \d+\)/);
});

/**
 * Runs an example until the response contains a text: the first blocks have to be indexed.
 *
 * @param line `curl '<url>' -d '<body>'` or `curl -d '<body>' '<url>'`
 */
async function untilCurlReturns(line: string, text: string): Promise<void> {
  const [, , before, url = '', , after] =
    /curl (-d '([^']+)' )?'?(http[^' ]+)'?( -d '([^']+)')?$/.exec(line.trim()) ?? [];
  const body = before ?? after;
  const response = async () => (await fetch(url, body === undefined ? {} : { method: 'POST', body })).text();
  await until(async () => (await response()).includes(text), { actual: response });
}

async function untilDelegationsAreIndexed(stack: Command): Promise<void> {
  await untilCurlReturns(await stack.line('/api/deleg/in'), '"delegator":"carol","amount":12345.678901');
}

async function untilNotificationsAreIndexed(stack: Command): Promise<void> {
  await untilCurlReturns(await stack.line("/rpc' -d"), '"msg":"@bob replied to your post"');
}

it('serves delegations and notifications', async () => {
  await untilDelegationsAreIndexed(await running());
  await untilNotificationsAreIndexed(await running());
});

/** The pages by `front-end-pages.mjs`. */
const pageOutcomes = z.record(z.string(), z.object({ result: z.unknown(), error: z.string().optional() }));

async function pagesThrough(library: string): Promise<z.infer<typeof pageOutcomes>> {
  const origin = `http://127.0.0.1:${environment['RPC_GATEWAY_PORT']}`;
  const child = spawn(process.execPath, [path.join(__dirname, 'front-end-pages.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ library, origin }));
  return pageOutcomes.parse(JSON.parse(await text(child.stdout)));
}

it.each(isLong ? ['dhive', 'hive-js', 'wax', 'hive-tx'] : ['hive-tx'])(
  'serves the pages of front ends to %s',
  async (library) => {
    await untilNotificationsAreIndexed(await running());
    const outcomes = await pagesThrough(library);
    expect(Object.entries(outcomes).filter(([, { error }]) => error !== undefined)).toEqual([]);
    const page = (name: string) => outcomes[name]?.result;
    const links = (name: string) =>
      z
        .array(postLink)
        .parse(page(name))
        .map(({ permlink }) => permlink);
    const names = (name: string, schema: z.ZodType<string[]>) => schema.parse(page(name));

    expect(links('blog')).toEqual(['raised-beds', 'a-frame-of-brood']);
    expect(page('blog')).toMatchObject([{ author: 'dave', reblogged_by: ['alice'] }, { author: 'alice' }]);
    expect(links('diary')).toEqual(Array.from({ length: 25 }, (_none, index) => `garden-diary-${25 - index}`));
    expect(links('feed')).toEqual(expect.arrayContaining(['raised-beds', 'garden-diary-25']));
    expect(links('trending').slice(0, 2)).toEqual(['the-first-swarm', 'raised-beds']);
    // By the type of the community.
    expect(page('mutedPost')).toMatchObject({ stats: { gray: true, muted_reasons: [1] } });
    // The pinned post first.
    expect(links('communityPosts')).toEqual(['the-first-swarm', 'the-first-swarm-hive-100001']);
    expect(page('communityPosts')).toMatchObject([
      { stats: { is_pinned: true } },
      { json_metadata: { original_author: 'alice', original_permlink: 'the-first-swarm' } },
    ]);
    expect(page('community')).toMatchObject({ title: 'Beekeepers', subscribers: 3 });
    expect(page('communities')).toMatchObject([{ title: 'Beekeepers' }, { title: 'Gardeners' }]);
    expect(names('subscribers', firsts).toSorted()).toEqual(['alice', 'bob', 'carol']);
    expect(names('roles', firsts)).toEqual(['hive-100001', 'alice']);
    expect(page('subscriptions')).toEqual([['hive-200001', 'Gardeners', 'mod', '']]);
    expect(page('profile')).toMatchObject({
      metadata: { profile: { name: 'Alice', about: 'Keeps bees since 2011.' } },
      stats: { followers: 2, following: 2 },
    });
    expect(page('profiles')).toMatchObject([{ name: 'alice' }, { name: 'erin' }]);
    expect(page('relationship')).toMatchObject({ follows: true, ignores: false });
    expect(page('post')).toMatchObject({ title: 'The first swarm', community_title: 'Beekeepers' });
    expect(page('normalized')).toEqual(page('post'));
    expect(Object.keys(z.record(z.string(), z.unknown()).parse(page('discussion')))).toEqual([
      'dave/raised-beds',
      ...[1, 2, 3, 4, 5, 6].map((depth) => `${depth % 2 === 0 ? 'bob' : 'dave'}/re-raised-beds-${depth}`),
    ]);
    expect(page('notifications')).toMatchObject(
      ['judy', 'ivan', 'heidi', 'grace', 'frank', 'dave', 'carol', 'bob', 'alice'].map((name) => ({
        type: 'follow',
        msg: `@${name} followed you`,
      })),
    );
    expect(page('notificationsByPage')).toEqual(page('notifications'));
    expect(page('unread')).toMatchObject({ unread: expect.any(Number) });
    expect(page('followers')).toHaveLength(9);
    expect(page('muting')).toMatchObject([{ following: 'frank' }]);
    expect(page('votes')).toMatchObject([{ voter: 'bob' }, { voter: 'carol' }, { voter: 'heidi' }]);
    expect(page('ownVote')).toMatchObject({
      votes: [{ voter: 'bob', permlink: 'the-first-swarm', vote_percent: 10_000 }],
    });
    expect(page('tags')).toMatchObject(expect.arrayContaining([expect.objectContaining({ name: 'garden' })]));
    expect(page('reblogs')).toHaveLength(3);
    expect(page('accounts')).toMatchObject([{ name: 'alice' }]);
    expect(page('properties')).toMatchObject({ head_block_number: expect.any(Number) });
    // The other libraries have no REST.
    if (library === 'wax' || library === 'hive-tx') expect(page('reputation')).toBe(25);
  },
);

const postLink = z.object({ permlink: z.string() });
const firsts = z.array(z.tuple([z.string()], z.unknown()).transform(([first]) => first));

it('streams notifications', async () => {
  const [, url = ''] = /curl -N '(.*)'/.exec(await (await running()).line('/events?')) ?? [];
  const response = await fetch(url, { signal: AbortSignal.timeout(100_000) });
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('replied to your post')) break;
  }
  expect(text).toMatch(/^event: notification\ndata: \{"account":"alice","id":\d+,"type":"reply"/m);
});

it('runs the curl commands of the READMEs', async () => {
  await running();
  /** Replaces the default port by the one of this test. */
  const withPort = (line: string) => {
    const program = programs.find(({ port }) => line.includes(`//localhost:${port.byDefault}/`));
    return line.replace(/localhost:\d+/, `127.0.0.1:${environment[program?.port.variable ?? ''] ?? ''}`);
  };
  const curlIn = (lines: readonly string[]) => withPort(lines.find((line) => line.startsWith('curl ')) ?? '');
  await untilCurlReturns(curlIn(commandsIn('apps/delegation/README.md', 'Run')), '"delegator":"carol"');
  await untilCurlReturns(curlIn(commandsIn('apps/rpc-gateway/README.md', 'Run')), '"msg":"@bob replied to your post"');
});

it('delivers messages between two terminals, leaves no process when killed, and shows history on restart', async () => {
  const first = await running();
  const children = processesUnder(first.pid);
  // The commands of the README.
  const [, , ...lines] = commandsIn('README.md', 'Two commands');
  expect(lines).toHaveLength(2);
  const [alice, bob] = [runLine(lines[0] ?? ''), runLine(lines[1] ?? '')];
  await Promise.all([alice, bob].map((terminal) => terminal.line('You are')));
  alice.type('hello bob');
  await bob.line('alice: hello bob');
  // The chat rejects ESC but accepts DEL.
  bob.type('hello \u007falice');
  await alice.line('bob: hello ␡alice');
  alice.type('@carol are you there?');
  await alice.line('alice: are you there?');
  alice.type('@nosuchaccount hi');
  expect(await alice.line('Not sent')).toContain('account-not-found');
  await alice.line('You talk to carol.');
  for (const text of ['/hlep', '/help', '//help']) alice.type(text);
  expect(await alice.line('/hlep')).toBe('Not sent: there is no command "/hlep". /help lists them; // sends a "/".');
  await alice.line('/quit      leaves');
  await alice.line('alice: /help');

  expect(await first.end('SIGKILL')).toBeNull();
  shared = undefined;
  expect(children.length).toBeGreaterThan(3);
  await untilGone(children);
  await bob.line('Connecting again');
  bob.type('typed while disconnected');
  await bob.line('Waits for the connection: "typed while disconnected" to alice');

  // The log-in is not needed again.
  await running(...restarted);
  await alice.line('Connected again.');
  await bob.line('bob: typed while disconnected');
  await alice.line('bob: typed while disconnected');
  bob.endInput();
  expect(await bob.end()).toBe(0);

  const carol = run('chat', '--as', 'carol', '--to', 'alice');
  await carol.line('alice: are you there?');
  await carol.line('alice: /help');
  const bobAgain = run('chat', '--as', 'bob');
  await bobAgain.line('typed while disconnected');
  expect(bobAgain.output.match(/alice: hello bob/g)).toHaveLength(1);
});

it('names the recipient in the prompt of a terminal', async () => {
  await running(...restarted);
  const alice = runWith({ hasTerminal: true }, 'chat', '--as', 'alice', '--to', 'dave');
  await alice.line('You are alice and talk to dave.');
  alice.type('@nosuchaccount hi');
  await alice.line('Not sent to nosuchaccount');
  await alice.line('You talk to dave.');
  alice.type('hello dave');
  await alice.line('to dave> hello dave');
  await alice.line('alice: hello dave');
  expect(alice.output).toContain('to nosuchaccount> ');
  alice.type('/quit');
  expect(await alice.end()).toBe(0);
});

longTest('indexes the new chain after a restart', async () => {
  await untilDelegationsAreIndexed(await running());
});

it('stops everything and reports why when a service dies', async () => {
  const stack = await running();
  const children = processesUnder(stack.pid);
  const chat = children.find((pid) => findProcess(pid)?.command.includes('apps/chat/dist/main.js'));
  process.kill(chat ?? 0, 'SIGKILL');
  shared = undefined;
  expect(await stack.end()).toBe(1);
  expect(stack.output).toContain('The chat ended unexpectedly with SIGKILL.');
  await untilGone(children);
});

it('npm start shows its progress, indexes the new chain for the gateway too, and stops everything on one Ctrl-C', async () => {
  await endShared();
  const service = isLong ? 'rpc-gateway' : 'video-auth';
  const stack = npmStart(service);
  await stack.line('Ctrl-C stops everything');
  expect(stack.output).toContain('[----');
  expect(stack.output).toMatch(new RegExp(`Migrating the database of ${service}  3 of [45] steps`));
  if (isLong) await untilNotificationsAreIndexed(stack);
  const children = processesUnder(stack.pid);
  // PostgreSQL, devnet and API, each with a guard.
  expect(children.length).toBeGreaterThan(5);
  stack.interrupt();
  expect(await stack.end()).toBe(0);
  expect(stack.output).toMatch(/^Stopping\.$[^]*^Stopped\.$/m);
  await untilGone(children);
});

it('lists the services if a name is unknown', async () => {
  const stack = run('start', 'chess');
  expect(await stack.end()).toBe(1);
  expect(stack.output).toBe('There is no service chess; there are chat, delegation, video-auth, rpc-gateway.');
});

it('reports a taken port before it starts anything', async () => {
  await endShared();
  const server = createServer().listen(Number(environment['CHAT_PORT']), '127.0.0.1');
  const stack = run('start');
  expect(await stack.end()).toBe(1);
  expect(stack.output).toMatch(/^Port \d+ for the chat is taken\. Choose another one: CHAT_PORT=\d+ npm start$/);
  server.close();
});

it('reports that the service is unreachable', async () => {
  const terminal = run('chat', '--as', 'alice', '--url', `http://127.0.0.1:${await findFreePort()}`);
  expect(await terminal.end()).toBe(1);
  expect(terminal.output).toMatch(/^No chat service responds at \S+; npm start runs one\.$/);
});
