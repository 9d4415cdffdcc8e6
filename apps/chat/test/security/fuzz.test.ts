import { Agent, request as httpRequest } from 'node:http';
import { closeCodes } from '@waggle/contracts';
import { isLong } from '@waggle/testing/long-form';
import * as fc from 'fast-check';
import { type ChatUser } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';
import { heapBytes } from '../support/heap';
import { hostileFrames, type HostileFrame } from './hostile-frames';
import { hostileRequests, type HostileRequest } from './hostile-requests';
import { type Names } from './schema-values';

/*
 * Frames and requests made from the schemas of the contract and broken in every way, from an attacker with an account
 * of their own. Nothing of ours may break, nothing of others may be seen, no connection may end that need not, and what
 * is held in memory may not grow.
 *
 * RUNS  rounds of 100 frames and 100 requests; 2 by default, 10 with LONG=true, 52 for over ten thousand
 * SEED  repeats the frames and requests of a run that failed; the seed is part of the tests' names
 */
const rounds = Number(process.env['RUNS'] ?? (isLong ? 10 : 2));
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const perRound = 100;
const perSample = 10;
const timeoutMs = 60_000 + rounds * 30_000;
/** Allowed memory growth after the first rounds, however many they are, since caches fill up and code is compiled. */
const maxGrowthBytes = 24 * 1024 * 1024;
/** The service closes a connection after 20 malformed frames; the test opens a new one before. */
const maxMalformed = 15;

const secret = 'marker-of-the-victims-7f3a';

describe(`hostile frames and requests (${rounds} rounds, seed ${seed})`, () => {
  let chat: ChatUnderTest;
  let attacker: ChatUser;
  let victimTokens: string[];
  let victimsDm: string;
  let names: Names;
  const agent = new Agent({ keepAlive: true });
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    const alice = await chat.instance.join('alice');
    const bob = await chat.instance.join('bob');
    victimsDm = (await alice.open('bob', secret)).id;
    const victimsGroup = await alice.open(['bob', 'carol'], secret);
    const { id: victimsMessage } = await bob.say(victimsDm, secret);
    const request = await alice.socket.request('request-friendship', { username: 'bob' }, 'friendship-requested');
    attacker = await chat.instance.join('judy');
    const ownGroup = await attacker.open(['ivan', 'heidi']);
    const ownMessage = await attacker.say(ownGroup.id, 'own');
    const ownDm = await attacker.open('ivan');
    victimTokens = [alice, bob].flatMap(({ session }) => [session.token, session.ws_token, session.refresh_token]);
    names = {
      accounts: ['alice', 'bob', 'carol', 'ivan', 'heidi', 'judy', 'nobody-here'],
      identifiers: [
        victimsDm,
        victimsGroup.id,
        victimsMessage,
        request.id,
        ownGroup.id,
        ownGroup.id,
        ownMessage.id,
        ownDm.id,
        '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      ],
      tokens: [attacker.session.token, attacker.session.ws_token, 'rubbish', ''],
    };
    await chat.instance.close();
  });
  afterEach(() => chat.instance.close());
  afterAll(async () => {
    agent.destroy();
    await chat.stop();
  });

  const errorLines = () => chat.instance.logLines.filter((line) => /"level":"(error|fatal)"/.test(line));
  const assertNothingOfVictims = (text: string, cause: unknown) => {
    for (const forbidden of [secret, ...victimTokens]) {
      if (text.includes(forbidden)) throw new Error(`seen after ${JSON.stringify(cause)}: ${text}`);
    }
  };
  const assertVictimsUnharmed = async () => {
    const alice = await chat.instance.join('alice');
    expect((await alice.history(victimsDm)).map(({ content }) => content)).toEqual([secret, secret]);
    for (const token of [victimTokens[0] ?? '', victimTokens[3] ?? '']) {
      expect((await chat.instance.get('/users/friends', { Authorization: token })).status).toBe(200);
    }
  };
  const loggedBytes = () => chat.instance.logLines.reduce((sum, line) => sum + line.length + 64, 0);

  /** Sends the frames one after another; reconnects only if the connection was closed as documented. */
  const sendAll = async (frames: Iterable<HostileFrame>) => {
    let socket: ChatSocket | undefined;
    let [seen, malformed] = [0, 0];
    for (const frame of frames) {
      if (socket === undefined) {
        socket = await chat.instance.connect(attacker.session.ws_token, [
          'rich',
          'read-position',
          'client-id',
          'typing',
        ]);
        [seen, malformed] = [0, 0];
      }
      socket.sendRaw(frame.data);
      const alive = await isAlive(socket, frame);
      const replies = socket.frames.slice(seen);
      seen = socket.frames.length;
      assertNothingOfVictims(JSON.stringify(replies), frame);
      for (const { type, payload } of replies) {
        if (type !== 'error') continue;
        if (payload.code === 'unavailable') throw new Error(`a fault of ours after ${JSON.stringify(frame)}`);
        if (payload.request_type === null) malformed += 1;
      }
      if (alive && malformed < maxMalformed) continue;
      if (alive) await socket.close();
      socket = undefined;
    }
  };
  const isAlive = async (socket: ChatSocket, frame: HostileFrame): Promise<boolean> => {
    const stillThere = socket.requestError('acknowledgment', {}).then(() => true);
    if (!frame.mayEnd) {
      return stillThere.catch((error: unknown) => {
        throw new Error(`the connection ended after ${JSON.stringify(frame)}`, { cause: error });
      });
    }
    const ended = socket.closed.then(({ code }) => {
      expect([closeCodes.frameTooLarge, closeCodes.authenticationFailed]).toContain(code);
      return false;
    });
    stillThere.catch(() => undefined);
    return Promise.race([stillThere.catch(() => ended), ended]);
  };

  /**
   * As many as a round has, a few at a time, so that generating them does not block the service in the same process.
   */
  function* samples<T>(arbitrary: fc.Arbitrary<T>, round: number): Generator<T> {
    for (let i = 0; i < perRound / perSample; i += 1) {
      yield* fc.sample(arbitrary, { numRuns: perSample, seed: seed + round * perRound + i });
    }
  }

  const responseTo = ({ method, path, headers, body }: HostileRequest): Promise<{ status: number; text: string }> => {
    const { hostname, port } = new URL(chat.instance.url);
    return new Promise((resolve, reject) => {
      const request = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: text + JSON.stringify(response.headers) });
        });
        response.on('error', reject);
      });
      request.on('error', reject);
      if (body !== undefined) request.setHeader('Content-Length', Buffer.byteLength(body));
      request.end(body);
    });
  };

  const requestAll = async (requests: Iterable<HostileRequest>): Promise<number[]> => {
    const statuses: number[] = [];
    for (const request of requests) {
      const { status, text } = await responseTo(request).catch((error: unknown) => {
        throw new Error(`no reply to ${JSON.stringify(request)}`, { cause: error });
      });
      if (status >= 500 || status < 200) throw new Error(`${status} ${text} to ${JSON.stringify(request)}`);
      assertNothingOfVictims(text, request);
      statuses.push(status);
    }
    return statuses;
  };

  it(
    'break nothing, show nothing of others, end no connection without need and leave nothing in memory',
    async () => {
      const statuses = new Set<number>();
      let before = { heap: 0, logged: 0 };
      for (let round = 0; round < rounds; round += 1) {
        // The requests of the round before may have logged out.
        attacker = await chat.instance.join('judy');
        await sendAll(samples(hostileFrames(names), round));
        const tokens = [attacker.session.token, ...names.tokens.slice(1)];
        const requests = samples(hostileRequests({ ...names, tokens }), round);
        for (const status of await requestAll(requests)) statuses.add(status);
        await chat.instance.close();
        if (round === Math.min(1, rounds - 1)) before = { heap: await heapBytes(), logged: loggedBytes() };
      }
      // The test records every line of the log.
      const grown = (await heapBytes()) - before.heap - (loggedBytes() - before.logged);
      await assertVictimsUnharmed();
      expect(errorLines()).toEqual([]);
      expect(chat.instance.logLines.join('')).not.toContain(secret);
      expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
      expect(grown).toBeLessThan(maxGrowthBytes);
    },
    timeoutMs,
  );
});
