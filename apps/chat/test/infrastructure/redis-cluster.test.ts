import { randomBytes } from 'node:crypto';
import { devnetKeys } from '@waggle/devnet';
import {
  documentedRedisUser,
  exampleIn,
  startRedisCluster,
  type RedisCluster,
  type RedisServer,
  until,
} from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { createLogger } from '@waggle/service';
import { connectRedis } from '@waggle/service/redis';
import { RedisBus } from '../../src/delivery/bus/redis-bus';
import { RedisMasters } from '../../src/delivery/bus/redis-masters';
import { errorOf, type ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { heapBytes } from '../support/heap';
import { loginPath } from '../support/login-path';

/** The Redis user has only the documented permissions. */
const user = documentedRedisUser(exampleIn('k8s/README.md', 'A user of Redis for each service'), 'chat');

/** The limit of log-ins to one account from one address in a minute; the tests use many addresses. */
const changes = { trustedProxies: ['127.0.0.1'], rateLimits: { accountLogins: 4 } };

describe('two instances on a Redis Cluster of three masters', () => {
  let cluster: RedisCluster;
  let chat: ChatUnderTest;
  let here: ChatInstance;
  let there: ChatInstance;
  let alice: ChatUser;
  let bob: ChatUser;
  /** One conversation of alice and bob for each master, in the masters' order. */
  const conversations: string[] = [];
  beforeAll(async () => {
    // The remaining masters continue to serve their slots.
    cluster = await startRedisCluster({ settings: { 'cluster-require-full-coverage': 'no', ...user.settings } });
    chat = await ChatUnderTest.startWithRedis(changes, user.urlFor(cluster.url));
    here = chat.instance;
    // With the address of one node: the instance must discover the cluster from it.
    there = await chat.addInstance(changes, user.urlFor(nodeAt(1).url));
    [alice, bob] = [await here.join('alice'), await there.join('bob')];
  });
  afterAll(async () => {
    await chat.stop();
    await cluster.stop();
  });

  const nodeAt = (i: number): RedisServer => {
    const node = cluster.nodes[i];
    if (node === undefined) throw new Error(`there is no node ${i}`);
    return node;
  };
  const isSubscribedAt = async (node: RedisServer, id: string) =>
    (await node.command('PUBSUB SHARDCHANNELS')).includes(id);

  /** How many entries an instance read from the database because their bus message was lost. */
  const filled = async ({ url }: ChatInstance) =>
    Number(/^chat_entries_filled_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  let said = 0;
  const reach = async (id: string) => {
    said += 1;
    const text = `message ${said}`;
    await alice.say(id, text);
    await bob.socket.next('chat-message', ({ content }) => content === text);
  };
  const isHinted = async (id: string) => {
    const before = await filled(there);
    await reach(id);
    return (await filled(there)) === before;
  };

  it('deliver messages to each other over all three masters, each channel over its own', async () => {
    const found = new Map<RedisServer, string>();
    while (found.size < cluster.nodes.length) {
      const { id } = await alice.open(['bob']);
      await bob.socket.next('conversation-created', (each) => each.id === id);
      await until(async () => {
        for (const node of cluster.nodes) if (await isSubscribedAt(node, id)) found.set(node, id);
        return [...found.values()].includes(id);
      });
    }
    for (const node of cluster.nodes) conversations.push(found.get(node) ?? '');

    for (const id of conversations) await until(() => isHinted(id));
    const before = await filled(there);
    for (let i = 0; i < 10; i += 1) await Promise.all(conversations.map(reach));
    // Entries whose bus message is in transit during a poll may be read from the database.
    expect((await filled(there)) - before).toBeLessThan(15);
  });

  const addresses = Array.from({ length: 12 }, (_none, i) => ({ 'X-Forwarded-For': `198.51.100.${i}` }));
  const statusOf = async (instance: ChatInstance, path: string, headers: Record<string, string>) =>
    (await instance.get(path, headers)).status;

  it('accept a proof once, on any master', async () => {
    for (const address of addresses) {
      const path = loginPath('carol');
      const statuses = [here, there, here, there].map((instance) => statusOf(instance, path, address));
      expect((await Promise.all(statuses)).sort()).toEqual([200, 401, 401, 401]);
    }
  });

  it('count log-ins together, on any master', async () => {
    const counted: boolean[] = [];
    for (const address of addresses) {
      const wrong = loginPath('dave', { wif: devnetKeys('dave').memo.wif });
      const statuses: number[] = [];
      for (const instance of [here, there, there, there, here, there]) {
        statuses.push(await statusOf(instance, wrong, address));
      }
      counted.push(statuses.join() === '401,401,401,401,429,429');
    }
    // An instance without a reply of Redis for a quarter of a second counts locally.
    expect(counted.filter(Boolean).length).toBeGreaterThanOrEqual(addresses.length - 2);
  });

  it('announce friends who are connected to the other instance', async () => {
    // Each of them is recorded on a different master.
    const friends = ['dave', 'erin', 'ivan'];
    const joined: ChatUser[] = [];
    for (const account of friends) {
      const friend = await there.join(account);
      joined.push(friend);
      const { id } = await alice.socket.request('request-friendship', { username: account }, 'friendship-requested');
      await friend.socket.next('friendship-requested', (each) => each.id === id);
      await friend.socket.request('accept-friendship', { id }, 'friendship-accepted');
    }
    const socket = await here.openSocket();
    socket.send('authenticate', { token: alice.session.token, capabilities: ['presence'] });
    // The last one may be announced twice: as online, and as newly online.
    for (const friend of friends)
      await socket.next('presence-changed', ({ username, online }) => username === friend && online);
    for (const { account, socket: theirs } of joined) {
      await theirs.close();
      await socket.next('presence-changed', ({ username, online }) => username === account && !online);
    }
  });

  it('send no command that their Redis user may not execute', async () => {
    for (const node of cluster.nodes) expect(await node.command('ACL LOG')).toBe('*0\r\n');
  });

  it('follow a channel to the master that gets its slot', async () => {
    const [id = ''] = conversations;
    const [from, to] = [nodeAt(0), nodeAt(1)];
    const [fromId, toId] = await Promise.all([from, to].map(idOf));
    const channel = /\n(\S+)\r/.exec(
      (await from.command(`PUBSUB SHARDCHANNELS *${id}`)).replace(/^\*1\r\n\$\d+\r/, ''),
    );
    const slot = /\d+/.exec(await from.command(`CLUSTER KEYSLOT ${channel?.[1]}`))?.[0];
    expect(await to.command(`CLUSTER SETSLOT ${slot} IMPORTING ${fromId}`)).toBe('+OK\r\n');
    expect(await from.command(`CLUSTER SETSLOT ${slot} MIGRATING ${toId}`)).toBe('+OK\r\n');
    for (const node of [to, from, nodeAt(2)]) {
      expect(await node.command(`CLUSTER SETSLOT ${slot} NODE ${toId}`)).toBe('+OK\r\n');
    }
    await until(() => isSubscribedAt(to, id));
    await until(() => isHinted(id));
    expect(await isSubscribedAt(from, id)).toBe(false);
  });

  const logIn = (address: string, path = loginPath('heidi')) => here.get(path, { 'X-Forwarded-For': address });
  let used = 0;
  /** For each attempt that is counted although it is rejected, since only the proof's master is away. */
  const newAddress = () => {
    used += 1;
    return `203.0.${used >> 8}.${used & 255}`;
  };
  const areReady = async (...instances: ChatInstance[]) => {
    const statuses = await Promise.all(instances.map((instance) => instance.get('/health/ready')));
    return statuses.every(({ status }) => status === 200);
  };

  it('continue with the other masters while one is down, and use it again when it is back', async () => {
    const [saved = '', , lost = ''] = conversations;
    await nodeAt(2).kill();
    await Promise.all(conversations.map(reach));
    await until(() => isHinted(saved));
    await until(() => areReady(here, there));

    const rejected: string[] = [];
    let served = 0;
    for (let n = 0; served === 0 || rejected.length === 0; n += 1) {
      const path = loginPath('heidi');
      const response = await logIn(`198.51.100.${n}`, path);
      if (response.ok) served += 1;
      else {
        expect(await errorOf(response)).toMatchObject({ statusCode: 503, code: 'unavailable' });
        rejected.push(path);
      }
    }

    await nodeAt(2).start();
    await until(() => isHinted(lost));
    await until(async () => (await logIn(newAddress(), rejected[0])).status === 200);
    expect((await errorOf(await logIn(newAddress(), rejected[0]))).code).toBe('proof-replayed');
  });

  // Publishes 64 MB.
  longTest('continue while a master hangs, without unbounded buffering', async () => {
    const [, lost = ''] = conversations;
    const urls = cluster.url.split(',');
    const lines: string[] = [];
    const logger = createLogger('test', 'warn', { write: (line) => lines.push(line) });
    const client = await connectRedis(urls, logger);
    const masters = new RedisMasters(client, urls);
    const bus = new RedisBus(masters, 'test:', logger);
    const subscriber = new RedisBus(new RedisMasters(client, urls), 'test:', logger);
    try {
      let isReceived = false;
      const topics = Array.from({ length: 100 }, (_none, i) => `topic ${i}`);
      const topic = topics.find((each) => masters.findAddress(`test:${each}`) === `127.0.0.1:${nodeAt(1).port}`) ?? '';
      subscriber.on('message', () => (isReceived = true));
      subscriber.subscribe([topic]);
      await until(() => {
        bus.publish(topic, 'hello');
        return isReceived;
      });

      nodeAt(1).pause();
      const before = await heapBytes();
      for (let i = 0; i < 8_000; i += 1) bus.publish(topic, randomBytes(4_000).toString('hex'));
      // Of 64 million bytes.
      expect((await heapBytes()) - before).toBeLessThan(40e6);
      await reach(lost);
      await until(() => areReady(here, there));
      // The connection is closed, with all pending commands.
      await until(() => lines.some((line) => line.includes('MaxRetriesPerRequest')));
    } finally {
      nodeAt(1).resume();
      await Promise.all([bus, subscriber].map((each) => each.close()));
      client.disconnect();
    }
    await until(() => isHinted(lost));
  });

  it('reject log-ins while the cluster accepts no commands, as without Redis; a new instance is not ready', async () => {
    const [saved = '', , lost = ''] = conversations;
    for (const node of cluster.nodes) {
      await node.command('CONFIG SET cluster-require-full-coverage yes cluster-node-timeout 500');
    }
    await nodeAt(2).kill();
    for (const node of [nodeAt(0), nodeAt(1)]) {
      await until(async () => (await node.command('CLUSTER INFO')).includes('cluster_state:fail'));
    }
    for (let n = 0; n < 2; n += 1) {
      const startedAtMs = performance.now();
      expect(await errorOf(await logIn(newAddress()))).toMatchObject({ statusCode: 503, code: 'unavailable' });
      expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    }
    const late = await chat.addInstance(changes);
    expect(await areReady(here, there)).toBe(true);
    expect((await late.get('/health/ready')).status).toBe(503);
    await reach(lost);
    await until(() => isHinted(saved));

    await nodeAt(2).start();
    await cluster.whenWhole();
    await until(async () => (await logIn(newAddress())).status === 200);
    await until(() => areReady(here, there, late));
    await until(() => isHinted(lost));
  });
});

async function idOf(node: RedisServer): Promise<string | undefined> {
  return /\$40\r\n(\w+)/.exec(await node.command('CLUSTER MYID'))?.[1];
}
