import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { type Message } from '@waggle/contracts';
import {
  createTestDatabase,
  Devnet,
  findFreePort,
  GuardedProcess,
  WebSocketClient,
  type TestDatabase,
} from '@waggle/testing';
import WebSocket from 'ws';
import { freshDatabase, loginPath, tokenPrivateKey } from './chat-under-test';

const main = path.join(__dirname, '..', 'dist', 'main.js');

/** The service as it is deployed: `node dist/main.js`. */
class ChatProcess {
  private constructor(
    readonly process: GuardedProcess,
    readonly url: string,
  ) {}

  static async start(environment: Record<string, string>): Promise<ChatProcess> {
    const port = await findFreePort();
    const process_ = await run({ ...environment, PORT: String(port) });
    const chat = new ChatProcess(process_, `http://127.0.0.1:${port}`);
    await chat.ready();
    return chat;
  }

  async logIn(account: string): Promise<{ token: string; ws_token: string }> {
    const response = await fetch(this.url + loginPath(account));
    return (await response.json()) as { token: string; ws_token: string };
  }

  async connect(token: string): Promise<WebSocketClient> {
    const socket = await WebSocketClient.connect(`${this.url.replace('http', 'ws')}/ws?token=${token}`);
    socket.send('authenticate');
    await socket.next('status');
    return socket;
  }

  private async ready() {
    for (;;) {
      if (this.process.endedWith !== undefined) throw new Error(this.process.lastLines.join('\n'));
      const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      if (response?.status === 200) return;
      await new Promise(setImmediate);
    }
  }
}

function run(environment: Record<string, string>): Promise<GuardedProcess> {
  return GuardedProcess.start(process.execPath, [main], {
    env: { HOST: '127.0.0.1', ...environment },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
  });
}

describe('the chat as a process', () => {
  let devnet: Devnet;
  let database: TestDatabase;
  let environment: Record<string, string>;
  beforeAll(async () => {
    devnet = await Devnet.start();
    database = await freshDatabase();
    environment = { DATABASE_URL: database.url, HIVE_API_NODES: devnet.url, TOKEN_PRIVATE_KEY: tokenPrivateKey };
  });
  afterAll(async () => {
    await devnet.stop();
    await database.drop();
  });

  it('keeps every message that its sender saw come back, though it is killed in that moment', async () => {
    let chat = await ChatProcess.start(environment);
    const session = await chat.logIn('alice');
    const seen: string[] = [];
    let conversationId = '';
    for (let round = 0; round < 5; round += 1) {
      const socket = await chat.connect(session.ws_token);
      if (round === 0) {
        socket.send('create-conversation', { to: 'bob', message: 'first' });
        conversationId = String((await socket.next('conversation-created')).payload['id']);
        seen.push(String((await socket.next('chat-message')).payload['id']));
      }
      for (let n = 0; n < 200; n += 1)
        socket.send('chat-message', { conversation_id: conversationId, message: `${round}:${n}` });
      for (let n = 0; n <= round * 10; n += 1) seen.push(String((await socket.next('chat-message')).payload['id']));
      await chat.process.kill();
      await socket.closed;
      const rest = socket.frames
        .filter(({ type }) => type === 'chat-message')
        .map(({ payload }) => String(payload['id']));
      for (const id of rest) if (!seen.includes(id)) seen.push(id);
      chat = await ChatProcess.start(environment);
    }
    const history: Message[] = [];
    for (let before = ''; ; before = `&before=${history[0]?.timestamp ?? ''}`) {
      const response = await fetch(`${chat.url}/messages/chats?limit=200&conversation_id=${conversationId}${before}`, {
        headers: { Authorization: session.token },
      });
      const page = (await response.json()) as Message[];
      if (page.length === 0) break;
      history.unshift(...page);
    }
    const stored = history.map(({ id }) => id);
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored.filter((id) => seen.includes(id))).toEqual(seen);
    await chat.process.stop();
  }, 120_000);

  it('drains on SIGTERM: sockets are told with 1012, what was sent is stored, exit 0', async () => {
    const chat = await ChatProcess.start(environment);
    const session = await chat.logIn('carol');
    const socket = await chat.connect(session.ws_token);
    socket.send('create-conversation', { to: 'dave', message: 'goodbye' });
    await socket.next('chat-message');
    const ended = chat.process.stop();
    expect((await socket.closed).code).toBe(1012);
    expect(await ended).toEqual({ code: 0, signal: null });
  }, 60_000);

  it('lives on when upgrades anywhere are broken off, and serves clients that offer another protocol', async () => {
    const chat = await ChatProcess.start(environment);
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
    expect(chat.process.endedWith).toBeUndefined();
    await chat.process.stop();
  }, 60_000);

  it('drains in time though connections are silent, half closed or do not read', async () => {
    const chat = await ChatProcess.start(environment);
    const silent = await open(chat.url);
    const refused = await open(chat.url, { allowHalfOpen: true });
    refused.write('GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await chat.process.stop()).toEqual({ code: 0, signal: null });
    silent.destroy();
    refused.destroy();
  }, 60_000);

  it('ends a client that pings and never reads before it fills the memory', async () => {
    const chat = await ChatProcess.start(environment);
    const { ws_token } = await chat.logIn('erin');
    const socket = new WebSocket(`${chat.url.replace('http', 'ws')}/ws?token=${ws_token}`);
    await once(socket, 'open');
    socket.pause();
    const ended = once(socket, 'close');
    const isOpen = () => socket.readyState === WebSocket.OPEN;
    const data = Buffer.alloc(125);
    let sent = 0;
    while (isOpen() && sent < 400_000) {
      for (let i = 0; i < 1_000; i += 1) socket.ping(data, undefined, () => undefined);
      sent += 1_000;
      await new Promise(setImmediate);
      while (isOpen() && socket.bufferedAmount > 1_000_000) await new Promise(setImmediate);
    }
    socket.resume();
    await ended;
    expect(sent).toBeLessThan(400_000);
    await chat.process.stop();
  }, 60_000);

  it('says plainly that its port is taken, and which variable changes it', async () => {
    const chat = await ChatProcess.start(environment);
    const second = await run({ ...environment, PORT: new URL(chat.url).port });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.lastLines.at(-1)).toMatch(/EADDRINUSE.*set PORT to a free one/);
    await chat.process.stop();
  }, 60_000);

  it('names every fault of its configuration, and no secret', async () => {
    const faulty = await run({ DATABASE_URL: 'mysql://user:s3cret@db', PORT: 'http', TOKEN_PRIVATE_KEY: 's3cret' });
    expect(await faulty.ended).toEqual({ code: 1, signal: null });
    const said = faulty.lastLines.join('\n');
    for (const variable of ['DATABASE_URL', 'PORT', 'HIVE_API_NODES']) expect(said).toContain(`${variable}:`);
    expect(said).not.toContain('s3cret');
  });

  it('asks for migrations where the database has none, and does not run them itself', async () => {
    const empty = await createTestDatabase();
    const unmigrated = await run({ ...environment, DATABASE_URL: empty.url, PORT: '0' });
    expect(await unmigrated.ended).toEqual({ code: 1, signal: null });
    expect(unmigrated.lastLines.join('\n')).toContain('run `npx nx run chat:migrate`');
    await empty.drop();
  }, 30_000);

  it('says that a key that is none is none, without repeating it', async () => {
    const faulty = await run({ ...environment, PORT: '0', TOKEN_PRIVATE_KEY: 's3cret' });
    expect(await faulty.ended).toEqual({ code: 1, signal: null });
    const said = faulty.lastLines.join('\n');
    expect(said).toContain('TOKEN_PRIVATE_KEY: must be a PEM private key on the curve P-256');
    expect(said).not.toContain('s3cret');
  }, 30_000);
});

async function open(url: string, options: { allowHalfOpen?: boolean } = {}): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ...options });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
