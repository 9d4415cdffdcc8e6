import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestDatabase, until } from '@waggle/testing';
import { Client } from 'pg';
import { GatewayUnderTest, routesHead } from '../support/gateway-under-test';
import { freshDatabase } from '../support/index-under-test';
import { ScriptedNode } from '../support/scripted-node';

const mebibyte = 1024 * 1024;
const resultBytes = 600_000;
const batch = Array.from({ length: 50 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'bridge.get_post', params: [1] }));
/** The approximate size of the response to such a batch. */
const batchBytes = 50 * resultBytes;

let database: TestDatabase;
let node: ScriptedNode;
let gateway: GatewayUnderTest;
const sockets: Socket[] = [];
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  node = await ScriptedNode.start();
  gateway = await GatewayUnderTest.start([node.url], {
    routes: `${routesHead}  bridge: { cache: 1m }\n  network_broadcast_api: { cache: none }\n`,
    database,
    index: 'none',
  });
  node.script = () => 'x'.repeat(resultBytes);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.stop();
  await node.stop();
});

/** Sends requests from a connection that does not read the responses. */
async function sendUnread(localAddress: string, bodies: readonly unknown[]): Promise<Socket> {
  const socket = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  sockets.push(socket);
  for (const body of bodies) {
    const text = JSON.stringify(body);
    socket.write(`POST /rpc HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  }
  return socket;
}

async function metric(name: string): Promise<number> {
  const { text } = await gateway.get('/metrics');
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
}
const heldBytes = () => metric('http_unsent_response_bytes');

it('limits the memory of unread cached responses, and rejects the next requests of the client', async () => {
  await gateway.post('/rpc', batch[0]);
  const before = process.memoryUsage().rss;
  await Promise.all(Array.from({ length: 30 }, () => sendUnread('127.0.0.2', [batch])));
  await until(async () => (await metric('http_limited_responses_total{outcome="rejected"}')) >= 28);
  expect(await heldBytes()).toBeGreaterThan(batchBytes);
  expect(await heldBytes()).toBeLessThanOrEqual(64 * mebibyte);
  expect(node.calls).toHaveLength(1);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * mebibyte);

  const served = await gateway.post('/rpc', batch);
  expect(served.status).toBe(200);
  expect((served.json as { result: string }[]).map(({ result }) => result.length)).toEqual(Array(50).fill(resultBytes));

  for (const socket of sockets) socket.destroy();
  await until(async () => (await heldBytes()) === 0);
});

it('replaces a response that exceeds the memory with an error; 429 and Retry-After if none fits', async () => {
  await gateway.post('/rpc', batch[0]);
  await Promise.all([sendUnread('127.0.0.1', [batch]), sendUnread('127.0.0.1', [batch])]);
  await until(async () => (await heldBytes()) > 2 * batchBytes);
  const some = await gateway.post('/rpc', batch);
  expect(some).toMatchObject({ status: 200, headers: { 'retry-after': '5' } });
  const items = some.json as { id: number; result?: string; error?: unknown }[];
  expect(items.map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
  expect(items.at(-1)?.error).toEqual({
    code: -32005,
    message: 'Too many responses are unread',
    data: { kind: 'unread', limit: 'response-memory-megabytes' },
  });
  // Until not even one fits.
  await sendUnread('127.0.0.1', [batch]);
  await until(async () => (await gateway.post('/rpc', batch[0])).status === 429);
  const other = { ...batch[0], method: 'bridge.get_profile' };
  node.script = () => 'small';
  expect(await gateway.post('/rpc', other)).toMatchObject({ status: 200, json: { result: 'small' } });

  for (const socket of sockets) socket.destroy();
  await until(async () => (await heldBytes()) === 0);
  expect(await gateway.post('/rpc', batch[0])).toMatchObject({ status: 200 });
});

it('counts request bodies while they arrive, and releases them if the client disconnects', async () => {
  const socket = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1' });
  await once(socket, 'connect');
  sockets.push(socket);
  socket.write(`POST /rpc HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${mebibyte}\r\n\r\n`);
  socket.write(' '.repeat(mebibyte / 2));
  await until(async () => (await heldBytes()) === mebibyte / 2);
  socket.destroy();
  await until(async () => (await heldBytes()) === 0);
});

it('releases the first chunk of a body too', async () => {
  const socket = connect({ port: Number(new URL(gateway.url).port), host: '127.0.0.1' });
  await once(socket, 'connect');
  sockets.push(socket);
  socket.write(`POST /rpc HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${mebibyte}\r\n\r\n`);
  socket.write(' '.repeat(5_000));
  await until(async () => (await heldBytes()) === 5_000);
  socket.destroy();
  await until(async () => (await heldBytes()) === 0);
});

it('sends the response to a write with 200 even if others do not fit', async () => {
  await gateway.post('/rpc', batch[0]);
  await Promise.all([sendUnread('127.0.0.1', [batch]), sendUnread('127.0.0.1', [batch])]);
  await until(async () => (await heldBytes()) > 2 * batchBytes);
  // Less than a batch fits.
  const write = { jsonrpc: '2.0', id: 'write', method: 'network_broadcast_api.broadcast_transaction', params: [{}] };
  node.script = () => 'written';
  const { status, headers, json } = await gateway.post('/rpc', [...batch.slice(1), write]);
  expect([status, headers['retry-after']]).toEqual([200, '5']);
  const items = json as { error?: unknown; result?: string }[];
  expect(items.at(-1)).toMatchObject({ id: 'write', result: 'written' });
  expect(items.at(-2)).toMatchObject({ error: { data: { kind: 'unread' } } });
});

it('charges a client for a result of the index that is too long to be sent', async () => {
  const limited = await GatewayUnderTest.start([node.url], {
    namedClients: [
      { name: 'page', addresses: ['127.0.0.1'], tokenSha256: [], limits: { 'response-megabytes-per-minute': 60 } },
    ],
  });
  const index = new Client({ connectionString: limited.database.url });
  await index.connect();
  // Its body takes six times as many bytes in JSON.
  for (const text of [
    'UPDATE index_state SET has_rankings = true',
    `INSERT INTO account (id, name, followers, following, last_read, has_posting_profile) VALUES (1, 'alice', 0, 0, now(), false)`,
    `INSERT INTO post (id, author_id, depth, is_pinned, is_deleted, permlink, root_id, created, children, muted_reasons)
     VALUES (1, 1, 0, false, false, 'comb', 1, now(), 0, 0)`,
    `INSERT INTO post_content VALUES (1, now(), 0, 'wax', 'Comb', '{}')`,
    `INSERT INTO post_text VALUES (1, now(), repeat(chr(1), 64000), true)`,
    `INSERT INTO payout (post_id, author_payout, curator_payout, beneficiary_payout, pending_payout, author_rewards, rshares,
       absolute_rshares, promoted, max_accepted_payout, total_votes, net_votes, percent_hbd, is_paid, allows_votes,
       allows_curation_rewards, total_vote_weight) VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, true, true, 0)`,
  ])
    await index.query(text);
  await index.end();
  const call = (posts: number) =>
    limited.call('database_api.find_comments', { comments: Array.from({ length: posts }, () => ['alice', 'comb']) });
  node.script = () => 'small';
  await until(async () => (await call(0)).headers['x-gateway-source'] === 'index');
  expect((await call(1)).status).toBe(200);
  const tooLong = await call(100);
  expect([tooLong.status, tooLong.text.includes('"kind":"too-long"')]).toEqual([200, true]);
  expect((await call(1)).status).toBe(429);
  await limited.stop();
});
