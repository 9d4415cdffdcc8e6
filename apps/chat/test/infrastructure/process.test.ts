import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { type Message } from '@waggle/contracts';
import { Devnet, recentGenesisTime } from '@waggle/devnet';
import {
  createTestDatabase,
  differencesFromReadme,
  documentedMetrics,
  runStatements,
  statementsIn,
  type TestDatabase,
  until,
} from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { ChatUser } from '../support/chat-client';
import { ChatProcess, runChat } from './chat-process';
import { freshDatabase, tokenPrivateKey } from '../support/chat-under-test';

/** `KILLS=50 npx jest process.test`: the long form. Each kill starts a process: 2 s of a core. */
const kills = Number(process.env['KILLS'] ?? 1);

describe('the chat as a process', () => {
  let devnet: Devnet;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let last: ChatProcess | undefined;
  const start = async () => {
    await last?.kill();
    last = await ChatProcess.start(environment);
    return last;
  };
  /** The process that earlier tests left running, or a new one. */
  const running = async () => (last === undefined || last.endedWith !== undefined ? await start() : last);
  beforeAll(async () => {
    // With live blocks, its head stays recent however long the tests take.
    devnet = await Devnet.start({ genesisTime: recentGenesisTime(), blockIntervalMs: 3_000 });
    database = await freshDatabase();
    environment = { DATABASE_URL: database.url, HIVE_API_NODES: devnet.url, TOKEN_PRIVATE_KEY: tokenPrivateKey };
  });
  afterAll(async () => {
    await last?.kill();
    await devnet.stop();
    await database.drop();
  });

  it('logs once what its nodes respond to its calls', async () => {
    const chat = await running();
    const checks = () => chat.lastLines.filter((line) => line.includes('"msg":"Hive node checked"'));
    await until(() => checks().length > 0);
    expect(checks().map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'info',
        node: new URL(devnet.url).host,
        behindBlocks: 0,
        methods: {
          'database_api.get_dynamic_global_properties (head of the chain)': expect.stringMatching(/^works \d+ ms$/),
          'database_api.find_accounts (log-ins)': expect.stringMatching(/^works \d+ ms$/),
        },
      }),
    ]);
  });

  it(
    'stores every message with a reply, even if the process is killed at that moment',
    async () => {
      let chat = await running();
      let alice = await chat.join('alice');
      const { id } = await alice.open('bob', 'first');
      const seen: Message[] = [];
      for (let round = 0; round < kills; round += 1) {
        for (let n = 0; n < 200; n += 1) {
          alice.socket.send('chat-message', { conversation_id: id, message: `${round}:${n}` });
        }
        await alice.socket.nextPayloads('chat-message', 1 + round * 10);
        await chat.kill();
        await alice.socket.closed;
        seen.push(...alice.socket.received('chat-message'));
        chat = await start();
        alice = await rejoin(chat, alice);
      }
      const stored = (await alice.wholeHistory(id)).map(textAndId);
      expect(new Set(stored).size).toBe(stored.length);
      const seenOnly = new Set(seen.map(textAndId));
      expect(stored.filter((message) => seenOnly.has(message))).toEqual(seen.map(textAndId));
    },
    300_000 + kills * 20_000,
  );

  it('ends sessions with the statements of its runbook', async () => {
    const chat = await running();
    const alice = await chat.join('alice');
    await runStatements(database.url, statementsIn('docs/runbooks/chat.md'));
    expect((await alice.socket.closed).code).toBe(4020);
  });

  it('exposes the metrics that its README lists', async () => {
    const chat = await running();
    const exposition = await (await fetch(`${chat.url}/metrics`)).text();
    expect(differencesFromReadme(exposition, documentedMetrics('chat'), 'API')).toEqual([]);
  });

  it('drains on SIGTERM: stores and replies to received messages, closes sockets with 1012, and exits with 0', async () => {
    let chat = await running();
    const carol = await chat.join('carol');
    const { id } = await carol.open('dave', 'first');
    for (let n = 0; n < 200; n += 1) {
      carol.socket.send('chat-message', { conversation_id: id, message: String(n) }, { ref: n });
    }
    await carol.socket.next('chat-message');
    const ended = chat.stop();
    expect((await carol.socket.closed).code).toBe(1012);
    expect(await ended).toEqual({ code: 0, signal: null });

    chat = await start();
    const stored = await (await rejoin(chat, carol)).wholeHistory(id);
    const seen = carol.socket.received('chat-message');
    expect(seen.length).toBeGreaterThan(1);
    // No message with a reply is lost, and none is stored without a reply.
    expect(stored.map(textAndId)).toEqual(seen.map(textAndId));
    expect(new Set(stored.map(({ content }) => content)).size).toBe(stored.length);
    const rejected = carol.socket.received('error').map(({ ref }) => String(ref));
    expect(stored.filter(({ content }) => rejected.includes(content))).toEqual([]);
  });

  it('survives aborted upgrades at any path, and serves clients that offer another protocol', async () => {
    const chat = await running();
    for (const path of ['/nowhere', '/ws', '/health/live']) {
      for (const protocol of ['websocket', 'h2c']) {
        for (let i = 0; i < 20; i += 1) {
          const socket = await open(chat.url);
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
          socket.resetAndDestroy();
        }
      }
    }
    const h2c = await open(chat.url);
    h2c.write(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n',
    );
    expect(await readAll(h2c)).toMatch(/^HTTP\/1.1 200 OK[^]*{"status":"ok"}/);
    expect(chat.endedWith).toBeUndefined();
  });

  // Starts another process.
  longTest('reports that its port is in use, and which variable changes it', async () => {
    const chat = await running();
    const second = await runChat({ ...environment, PORT: new URL(chat.url).port });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.lastLines.at(-1)).toMatch(/EADDRINUSE.*set PORT to a free one/);
  });

  it('drains in time with connections that are idle, half closed or do not read', async () => {
    const chat = await running();
    const silent = await open(chat.url);
    const rejected = await open(chat.url, { allowHalfOpen: true });
    rejected.write('GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await chat.stop()).toEqual({ code: 0, signal: null });
    silent.destroy();
    rejected.destroy();
  });

  it('requires migrations, and does not run them itself', async () => {
    const empty = await createTestDatabase();
    const unmigrated = await runChat({ ...environment, DATABASE_URL: empty.url, PORT: '0' });
    expect(await unmigrated.ended).toEqual({ code: 1, signal: null });
    expect(unmigrated.lastLines.join('\n')).toContain('run `npx nx run chat:migrate`');
    await empty.drop();
  });
});

async function open(url: string, options: { allowHalfOpen?: boolean } = {}): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ...options });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The same session at the next process. */
async function rejoin(chat: ChatProcess, { session }: ChatUser): Promise<ChatUser> {
  return new ChatUser(chat, session, await chat.connect(session.ws_token));
}

function textAndId({ id, content }: Message): string {
  return `${content} ${id}`;
}
