import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Devnet } from '@waggle/devnet';
import { NotificationStream, type NotificationStreamOptions } from '@waggle/client/notifications';
import { exampleIn, TcpProxy, runExample, until, untilApplied } from '@waggle/testing';
import { Client } from 'pg';
import { followerName, initializeIndexState } from '../../src/index-state/index-state';
import { EventClient } from './event-client';
import { GatewayStack } from '../support/gateway-stack';
import { GatewayUnderTest } from '../support/gateway-under-test';

const bees = 'hive-100001';

let stack: GatewayStack;
let devnet: Devnet;
let gateway: GatewayUnderTest;
/** A gateway whose index has no block. */
let empty: GatewayUnderTest | undefined;
/** Leads the gateway to its database. */
let proxy: TcpProxy;
let databasePorts: number[] = [];
/** How often the gateway tried to connect to the database. */
let databaseConnections = 0;
/** Leads clients to the gateway. */
let network: TcpProxy;
let clients: EventClient[] = [];
let sockets: Socket[] = [];
let posts = 0;

beforeAll(async () => {
  proxy = await TcpProxy.to(() => {
    databaseConnections += 1;
    return databasePorts;
  });
  stack = await GatewayStack.start(
    { unsigned: true },
    {
      corsOrigins: ['*'],
      stallMs: 2_000,
      events: { heartbeatMs: 300, maxStreamsPerAddress: 5 },
      databaseUrl: (url) => {
        const { port } = new URL(url);
        databasePorts = [Number(port)];
        return url.replace(`:${port}/`, `:${proxy.port}/`);
      },
    },
  );
  ({ devnet, gateway } = stack);
  network = await TcpProxy.toUrl(gateway.url);
  devnet.post('alice', 'honey');
  devnet.createAccount(bees);
  await stack.indexed();
});
afterEach(() => {
  for (const { stream } of clients) stream.close();
  for (const socket of sockets) socket.destroy();
  clients = [];
  sockets = [];
});
afterAll(async () => {
  await network.stop();
  await empty?.stop();
  await stack.stop();
  await proxy.stop();
});

function open(accounts: readonly string[], options: Partial<NotificationStreamOptions> = {}): EventClient {
  const client = new EventClient({ url: gateway.url, accounts, ...options });
  clients.push(client);
  return client;
}

/** Makes all blocks irreversible, and waits until they are indexed; the API may not know that yet. */
async function applied(): Promise<void> {
  devnet.makeIrreversible();
  await untilApplied(gateway.database.url, devnet.chain.lastIrreversible);
}

/** Bob replies to alice. @returns what alice is notified of */
async function reply(): Promise<string> {
  posts += 1;
  devnet.reply('bob', `reply-${posts}`, { author: 'alice', permlink: 'honey' });
  await applied();
  return 'alice: @bob replied to your post';
}

async function mention(...names: readonly string[]): Promise<void> {
  posts += 1;
  devnet.post('dave', `mention-${posts}`, { body: names.map((name) => `@${name}`).join(' ') });
  await applied();
}

function include(name: string, value: object): void {
  devnet.chain.include([[name, value]], []);
}

const moderators = ['alice', 'bob', 'carol', 'dave'];
/** Of 6 kB each: more than the buffers of the kernel have room for. */
const longEvents = 1_600;

/** Changes the properties of a community, which notifies its moderators. */
async function produceLongEvents(): Promise<void> {
  const actOnBees = (action: string, payload: object) => {
    const json = JSON.stringify([action, { community: bees, ...payload }]);
    include('custom_json', { required_auths: [], required_posting_auths: [bees], id: 'community', json });
  };
  const text = '蜂'.repeat(1_000);
  for (const account of moderators) actOnBees('setRole', { account, role: 'mod' });
  for (let block = 0; block < longEvents / moderators.length; block += 1) {
    actOnBees('updateProps', { props: { description: text, flag_text: text } });
    devnet.produceBlock();
  }
  await applied();
}

/** A raw connection that records what it reads. */
async function openSocket(query: string, headers = '') {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  const read = { socket, text: '', isClosed: false };
  socket.on('data', (data) => (read.text += data.toString()));
  socket.on('close', () => (read.isClosed = true));
  socket.on('error', () => undefined);
  socket.write(`GET /events?${query} HTTP/1.1\r\nHost: gateway\r\n${headers}\r\n`);
  return read;
}

async function execute(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client);
  await client.end();
}

async function query(sql: string): Promise<void> {
  await execute(gateway.database.url, (client) => client.query(sql));
}

async function metric(name: string): Promise<number> {
  const { text } = await gateway.get('/metrics');
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
}

describe('a stream of events', () => {
  it('has the same notifications as bridge.account_notifications', async () => {
    const { text, socket } = await openSocket('accounts=alice,carol');
    expect(text).toBe('');
    const read = { text: '' };
    socket.on('data', (data) => (read.text += data.toString()));
    await until(() => /\nid: [0-9a-f]{8}-\d+\n\n/.test(read.text));
    await reply();
    await mention('carol', 'alice', 'bob');
    await until(() => read.text.split('event: notification').length === 4);
    const events = [...read.text.matchAll(/id: [0-9a-f]{8}-(\d+)\nevent: notification\ndata: (.*)\n\n/g)];
    const items = await Promise.all(
      ['alice', 'carol'].map(async (account) => {
        const { text: json } = await gateway.call('bridge.account_notifications', { account, min_score: 0, limit: 2 });
        const [, list = ''] = /"result":\[(.*)\]/.exec(json) ?? [];
        return list.split(/(?<=\}),/).map((item) => `{"account":"${account}",${item.slice(1)}`);
      }),
    );
    expect(events.map(([, , data]) => data).toSorted()).toEqual([...(items[0] ?? []), items[1]?.[0]].toSorted());
    expect(events.map(([, id, data = '']) => data.includes(`"id":${id},`))).toEqual([true, true, true]);
  });

  it('begins with the next notification, and has only the requested types', async () => {
    await reply();
    const client = await open(['alice'], { types: ['mention'] }).begun();
    await reply();
    await mention('alice');
    await client.receives('alice: @dave mentioned you and 0 others');
    expect(client.resets).toEqual([]);
  });

  it('may name accounts that do not exist yet', async () => {
    const client = await open(['zoe']).begun();
    devnet.createAccount('zoe');
    await mention('zoe');
    await client.receives('zoe: @dave mentioned you and 0 others');
  });

  it('resumes after the last event, by header or parameter', async () => {
    const client = await open(['alice']).begun();
    const message = await reply();
    await client.receives(message);
    const { lastEventId } = client.stream;
    client.stream.close();
    await mention('alice');
    await reply();
    const missed = ['alice: @dave mentioned you and 0 others', message];
    await open(['alice'], { lastEventId }).receives(...missed);
    for (const [parameters, header] of [
      ['last_event_id=wrong&lastEventId=wrong', `Last-Event-ID: ${lastEventId}\r\n`],
      [`lastEventId=${lastEventId}`, ''],
      // Polyfills of EventSource append their parameter to a URL that may have another one, and some another number.
      [`last_event_id=wrong&lastEventId=${lastEventId}&r=0.5`, ''],
      [`last_event_id=${lastEventId}&lastEventId=`, 'Last-Event-ID: \r\n'],
    ] as const) {
      const raw = await openSocket(`accounts=alice&${parameters}`, header);
      await until(() => raw.text.split('event: notification').length === 3);
      expect(raw.text).not.toContain('reset');
      raw.socket.destroy();
    }
  });

  it('begins with the next notification if the last id is empty', async () => {
    await reply();
    const raw = await openSocket('accounts=alice&lastEventId=&last_event_id=');
    await until(() => raw.text.includes('\nid: '));
    const message = await reply();
    await until(() => raw.text.includes('event: notification'));
    expect(raw.text).not.toContain('reset');
    expect(raw.text).toContain(message.replace('alice: ', ''));
  });

  it('reads any number of missed events, each once and in order', async () => {
    const first = await open(['alice', 'carol']).begun();
    const { lastEventId } = first.stream;
    for (let block = 0; block < 6; block += 1) {
      for (let post = 0; post < 100; post += 1) {
        const link = {
          parent_author: '',
          parent_permlink: 'devnet',
          author: 'dave',
          permlink: `many-${block}-${post}`,
        };
        include('comment', { ...link, title: '', body: '@alice @carol', json_metadata: '' });
      }
      devnet.produceBlock();
    }
    await applied();
    const late = open(['carol', 'alice'], { lastEventId });
    await until(() => late.ids.length >= 1_200 && first.ids.length >= 1_200);
    expect(late.ids).toEqual(first.ids);
    expect(late.ids).toEqual([...new Set(late.ids)].toSorted((one, other) => one - other));
    expect([late.connections, late.ids.length]).toEqual([1, 1_200]);
  });

  it('sends comments, which move the position from which a client resumes', async () => {
    const raw = await openSocket('accounts=carol');
    const positions = () => [...raw.text.matchAll(/:\nid: (\S+)\n\n/g)].map(([, id]) => id);
    await until(() => positions().length > 0);
    await reply();
    await until(() => new Set(positions()).size > 1);
    expect(raw.text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(raw.text).toMatch(/^content-type: text\/event-stream\r\n/im);
    expect(raw.text).toMatch(/^access-control-allow-origin: \*\r\n/im);
    expect(raw.text).toMatch(/^x-accel-buffering: no\r\n/im);
    expect(raw.text).toMatch(/\nretry: [1-4]\d{3}\n\n/);
  });

  it.each([
    ['of another index', '00000000-1', 'index-changed'],
    ['that is none', 'https://elsewhere', 'index-changed'],
  ])('is reset by an id %s', async (_which, lastEventId, reason) => {
    const client = open(['alice'], { lastEventId });
    await until(() => client.resets.length > 0);
    await client.receives(await reply());
    expect(client.resets).toEqual([reason]);
  });

  it('is reset by an id in the future, and by one whose successors have expired', async () => {
    const { stream } = await open(['alice']).begun();
    const [index = ''] = stream.lastEventId?.split('-') ?? [];
    const future = open(['alice'], { lastEventId: `${index}-${10n ** 18n - 1n}` });
    await until(() => future.resets.length > 0);
    const expired = open(['alice'], { lastEventId: `${index}-1` });
    await until(() => expired.resets.length > 0);
    const message = await reply();
    await Promise.all([future.receives(message), expired.receives(message)]);
    expect([future.resets, expired.resets]).toEqual([['ahead-of-index'], ['expired']]);
  });

  it('waits for the index if it is slightly behind the last event', async () => {
    const { stream } = await open(['alice']).begun();
    const [index, id = ''] = stream.lastEventId?.split('-') ?? [];
    const secondsAhead = 60n;
    const client = open(['alice'], { lastEventId: `${index}-${BigInt(id) + (secondsAhead << 28n)}` });
    await until(() => client.connections === 1);
    await reply();
    devnet.produceBlocks(20);
    const message = await reply();
    await client.receives(message);
    expect(client.resets).toEqual([]);
  });

  it('is reset if the index is replaced, and continues', async () => {
    const client = await open(['alice']).begun();
    await query('UPDATE index_state SET index_id = gen_random_uuid()');
    await until(() => client.resets.length > 0);
    await client.receives(await reply());
    expect([client.resets, client.connections]).toEqual([['index-changed'], 1]);
  });

  it('stays open while the database is unavailable, and continues from its position', async () => {
    const client = await open(['alice']).begun();
    const ports = databasePorts;
    databasePorts = [];
    proxy.cut();
    const raw = await openSocket('accounts=alice');
    const message = await reply();
    await until(() => raw.text.includes('\n:\n'));
    const resumed = open(['alice'], { lastEventId: client.stream.lastEventId });
    await until(() => resumed.connections === 1);
    expect([client.messages, resumed.messages]).toEqual([[], []]);
    databasePorts = ports;
    await Promise.all([client.receives(message), resumed.receives(message)]);
    expect([client.connections, client.resets, resumed.resets]).toEqual([1, [], []]);
  });

  it('tries in vain no faster than it polls if the last event is ahead of the index', async () => {
    const { stream } = await open(['alice']).begun();
    const [index = ''] = stream.lastEventId?.split('-') ?? [];
    const ports = databasePorts;
    databasePorts = [];
    proxy.cut();
    const ahead = open(['alice'], { lastEventId: `${index}-${10n ** 18n - 1n}` });
    const raw = await openSocket('accounts=alice');
    const before = databaseConnections;
    // Heartbeats of 1.5 s.
    await until(() => raw.text.split('\n:\n').length > 5);
    expect(databaseConnections - before).toBeLessThan(150);
    databasePorts = ports;
    await until(() => ahead.resets.length > 0);
  });

  it('is reset if notifications expired while the database was unavailable', async () => {
    const client = await open(['alice']).begun();
    const ports = databasePorts;
    databasePorts = [];
    proxy.cut();
    await reply();
    await query('UPDATE index_state SET notifications_from = (SELECT block_time FROM chain_checkpoint)');
    await query('DELETE FROM notification');
    databasePorts = ports;
    await until(() => client.resets.length > 0);
    await client.receives(await reply());
    expect([client.resets, client.connections]).toEqual([['expired'], 1]);
  });

  it('waits for a client that does not read and continues without a gap, or is closed after a time limit', async () => {
    const types = ['set_props'];
    const client = await open(moderators, { url: network.url, types }).begun();
    const reference = await open(moderators, { types }).begun();
    const { lastEventId } = reference.stream;
    network.pauseReading();
    await produceLongEvents();
    await until(() => reference.ids.length >= longEvents);
    const unread = () => metric('http_unsent_response_bytes');
    await until(async () => (await unread()) > 0);
    network.restore();
    await until(() => client.ids.length >= longEvents);
    expect(client.ids).toEqual(reference.ids);
    client.stream.close();
    reference.stream.close();

    const cut = await metric('http_limited_responses_total{outcome="cut"}');
    const raw = await openSocket(
      `accounts=${moderators.join(',')}&types=${types.join(',')}&last_event_id=${lastEventId}`,
    );
    raw.socket.pause();
    await until(async () => (await metric('http_limited_responses_total{outcome="cut"}')) > cut);
    await until(async () => (await metric('http_unsent_response_bytes')) === 0);
    await until(async () => (await metric('rpc_gateway_event_streams')) === 0);
  });
});

describe('a request for events', () => {
  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${gateway.url}${path}`, init);
    return { status: response.status, headers: response.headers, json: (await response.json()) as { message: string } };
  };

  it.each([
    ['without accounts', '', 'accounts: is required'],
    ['with an empty account', '?accounts=', 'accounts.0: '],
    ['with a name that is none', '?accounts=alice,@bob', 'accounts.1: '],
    ['with accounts given twice', '?accounts=alice&accounts=bob', 'accounts: must not be given more than once'],
    ['with an unknown type', '?accounts=alice&types=vote,like', 'types.1: the types are new_community, set_role, '],
    ['with an id given twice', '?accounts=alice&lastEventId=1&lastEventId=2', 'lastEventId: must not be given more'],
    ['with an unknown parameter', '?accounts=alice&type=vote', 'unknown parameter: type'],
    [
      'with several unknown ones',
      '?accounts=alice&Types=vote&last-event-id=1',
      'unknown parameters: Types, last-event-id',
    ],
  ])('%s is invalid', async (_which, parameters, message) => {
    const { status, json } = await get(`/events${parameters}`);
    expect([status, json]).toMatchObject([400, { code: 'invalid-request' }]);
    expect(json.message).toContain(message);
  });

  const names = (count: number) =>
    Array.from({ length: count }, (_, number) => `a${String(number).padStart(15, '0')}`).join(',');

  it('has at most a thousand accounts', async () => {
    const raw = await openSocket(`accounts=${names(1_000)}`);
    await until(() => raw.text.includes('id: '));
    const tooMany = await get(`/events?accounts=${names(1_001)}`);
    expect([tooMany.status, tooMany.json.message]).toEqual([
      400,
      'accounts: at most 1000 accounts in one stream, not 1001',
    ]);
    const tooLong = await get(`/events?accounts=${names(10_000)}`);
    expect([tooLong.status, tooLong.json.message]).toEqual([431, 'URL and headers are longer than 32 KiB']);
  });

  it('is rejected if the address has too many streams', async () => {
    for (let stream = 0; stream < 5; stream += 1) await open(['alice']).begun();
    const { status, headers, json } = await get('/events?accounts=alice');
    expect([status, headers.get('retry-after'), json.message]).toEqual([429, '10', 'at most 5 streams at once']);
    clients[0]?.stream.close();
    await open(['alice']).begun();
  });

  it('is rejected while the index does not contain the whole chain', async () => {
    await query('UPDATE index_state SET first_block = 5');
    await until(async () => {
      const raw = await openSocket('accounts=alice');
      await until(() => raw.text !== '');
      raw.socket.destroy();
      return raw.text.startsWith('HTTP/1.1 503');
    });
    const { status, json } = await get('/events?accounts=alice');
    expect([status, json]).toMatchObject([503, { code: 'index-incomplete' }]);
    await query('UPDATE index_state SET first_block = 1');
    await until(async () => (await stack.gateway.indexBlock()) !== undefined);
  });

  it.each(['HEAD', 'POST'])('is not a %s request', async (method) => {
    const { status, headers } = await fetch(`${gateway.url}/events?accounts=alice`, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('is not opened by a prefetch', async () => {
    const response = await fetch(`${gateway.url}/events?accounts=alice`, { headers: { 'Sec-Purpose': 'prefetch' } });
    // An opened stream would not end.
    await response.body?.cancel();
    expect(response.status).toBe(503);
  });
});

it('events are received by the example of the client library', async () => {
  const shown: string[] = [];
  const saved: unknown[] = [];
  const { stream } = (await runExample(exampleIn('libs/client/README.md', 'Notifications'), {
    modules: { '@waggle/client/notifications': { NotificationStream } },
    globals: {
      process: { env: { GATEWAY_URL: gateway.url } },
      load: () => undefined,
      save: (id: unknown) => saved.push(id),
      show: (account: string, msg: string) => shown.push(`${account}: ${msg}`),
      reload: (reason: string) => {
        throw new Error(reason);
      },
    },
    results: ['stream'],
  })) as { stream: NotificationStream };
  await until(() => stream.lastEventId !== undefined);
  const message = await reply();
  await until(() => shown.length > 0);
  stream.close();
  expect([shown, saved]).toEqual([[message], [expect.stringMatching(/^[0-9a-f]{8}-\d+$/)]]);
});

it('counts streams and events', async () => {
  const client = await open(['alice']).begun();
  const sent = await metric('rpc_gateway_events_total{event="notification"}');
  await client.receives(await reply());
  expect(await metric('rpc_gateway_events_total{event="notification"}')).toBe(sent + 1);
  expect(await metric('rpc_gateway_event_streams')).toBe(1);
  expect(await metric('rpc_gateway_event_delay_seconds_count')).toBeGreaterThan(0);
});

/** Starts a gateway whose index has no block. */
async function startEmpty(): Promise<GatewayUnderTest> {
  const started = await GatewayUnderTest.start([devnet.url], { index: 'none', events: { heartbeatMs: 300 } });
  const beginning = new Date(0);
  await execute(started.database.url, (client) =>
    initializeIndexState(client, {
      begins: beginning,
      firstBlock: 1,
      notificationDays: 90,
      notificationsFrom: beginning,
    }),
  );
  return started;
}

it('streams resume from a position before the first block', async () => {
  empty = await startEmpty();
  const { lastEventId } = (await open(['alice'], { url: empty.url }).begun()).stream;
  const resumed = open(['alice'], { url: empty.url, lastEventId });
  await until(() => resumed.connections === 1);
  await execute(empty.database.url, (client) =>
    client.query(
      `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at) VALUES ($1, 1, '', now(), now())`,
      [followerName],
    ),
  );
  await until(() => resumed.stream.lastEventId !== lastEventId);
  expect(resumed.resets).toEqual([]);
});

it('streams end when the gateway shuts down, with a pause before the client reconnects', async () => {
  const other = await startEmpty();
  const client = await open(['alice'], { url: other.url }).begun();
  const disconnected = new Promise<{ error: Error; retryInMs: number }>((resolve) => {
    client.stream.on('disconnected', resolve);
  });
  await other.stop();
  const { error, retryInMs } = await disconnected;
  expect(error.name).toBe('StreamEndedError');
  expect(retryInMs).toBeGreaterThanOrEqual(1_000);
});
