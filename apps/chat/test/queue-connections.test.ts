import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction, withstandBreaks } from '@waggle/service';
import { createTestDatabase, provideDatabase, startPostgres, type TestDatabase, until } from '@waggle/testing';
import { type ClientBase, Pool } from 'pg';
import { execute } from '../src/messages/execution';
import { QueueConnections } from '../src/messages/queue-connections';

describe('a connection of the queue', () => {
  let database: TestDatabase;
  let pool: Pool;
  let connections: QueueConnections;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => {
    pool = new Pool({ connectionString: database.url });
    connections = new QueueConnections(pool, 2);
  });
  afterEach(async () => {
    await connections.onApplicationShutdown();
    await pool.end();
  });
  afterAll(() => database.drop());

  const backend = async (client: ClientBase) => {
    const [row] = await execute(client, { name: 'backend', text: 'SELECT pg_backend_pid()', values: [] });
    return row?.[0];
  };
  const end = (pid: string | null | undefined) => pool.query('SELECT pg_terminate_backend($1)', [pid]);
  const divide = (client: ClientBase, by: string) =>
    execute(client, { name: 'divide', text: 'SELECT 12 / $1::int', values: [by] });

  it('answers rows as PostgreSQL writes them, at the first time and at each other', async () => {
    const statement = {
      name: 'rows',
      text: `SELECT n, $1::text, NULL, date_part('epoch', '2026-01-01T00:00:00.123Z'::timestamptz) FROM generate_series(1, 2) n`,
      values: ['ä😀'],
    };
    for (let time = 0; time < 3; time += 1) {
      expect(await connections.use((client) => execute(client, statement))).toEqual([
        ['1', 'ä😀', null, '1767225600.123'],
        ['2', 'ä😀', null, '1767225600.123'],
      ]);
    }
    const empty = { name: 'empty', text: '', values: [] };
    expect(await connections.use((client) => execute(client, empty))).toEqual([]);
    const nothing = { name: 'nothing', text: 'SELECT 1 WHERE $1::text IS NOT NULL', values: [null] };
    expect(await connections.use((client) => execute(client, nothing))).toEqual([]);
  });

  it('is used again, and never by two at once', async () => {
    const first = await connections.use(backend);
    expect(await connections.use(backend)).toBe(first);
    const [one, other] = await Promise.all([connections.use(backend), connections.use(backend)]);
    expect(new Set([one, other]).size).toBe(2);
    // Of the two the one that was used last.
    expect(await connections.use(backend)).toBe(await connections.use(backend));
  });

  it('is waited for where more want one than there are', async () => {
    const used = await Promise.all(Array.from({ length: 20 }, () => connections.use(backend)));
    expect(new Set(used).size).toBe(2);
  });

  it('executes on after what has failed, where it is still used', async () => {
    await connections.use(async (client) => {
      for (let time = 0; time < 2; time += 1) {
        await expect(divide(client, '0')).rejects.toMatchObject({ code: '22012' });
        expect(await divide(client, '3')).toEqual([['4']]);
      }
      const faulty = [
        { name: 'too many values', text: 'SELECT', values: ['1'], code: '08P01' },
        { name: 'no statement', text: 'SELEKT', values: [], code: '42601' },
        { name: 'divide', text: 'SELECT 1', values: [], code: '42P05' },
      ];
      for (const { code, ...statement } of faulty) {
        await expect(execute(client, statement)).rejects.toMatchObject({ code });
      }
      expect(await divide(client, '4')).toEqual([['3']]);
    });
  });

  it('is not used again after a work that has failed', async () => {
    const first = await connections.use(backend);
    await expect(connections.use((client) => divide(client, '0'))).rejects.toMatchObject({ code: '22012' });
    expect(await connections.use(backend)).not.toBe(first);
  });

  it('is not used again where it broke while nobody used it', async () => {
    const { first, client } = await connections.use(async (used) => ({ first: await backend(used), client: used }));
    const broken = once(client, 'error');
    await end(first);
    await broken;
    expect(await connections.use(backend)).not.toBe(first);
  });

  it('is not used again where it broke after the answer', async () => {
    const first = await connections.use(async (client) => {
      const answer = await backend(client);
      const broken = once(client, 'error');
      await end(answer);
      await broken;
      return answer;
    });
    expect(await connections.use(backend)).not.toBe(first);
  });

  it('fails what it was doing when it breaks', async () => {
    await expect(
      connections.use((client) =>
        execute(client, { name: 'end', text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] }),
      ),
    ).rejects.toMatchObject({ code: '57P01' });
    await connections.use(backend);
  });

  it('is given up where an answer takes too long', async () => {
    const impatient = new QueueConnections(new Pool({ connectionString: database.url, query_timeout: 100 }), 1);
    const sleep = { name: 'sleep', text: 'SELECT pg_sleep($1::int)', values: ['60'] };
    try {
      await expect(impatient.use((client) => execute(client, sleep))).rejects.toThrow('Query read timeout');
    } finally {
      await impatient.onApplicationShutdown();
    }
  });

  it('ends after what is under way', async () => {
    const ending = new QueueConnections(pool, 2);
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const first = await ending.use(backend);
    const underWay = ending.use(async (client) => {
      await gate;
      return backend(client);
    });
    const ended = ending.onApplicationShutdown();
    goOn();
    expect(await underWay).toBe(first);
    await ended;
    await expect(ending.use(backend)).rejects.toThrow('after calling end');
  });
});

it('pools and the connections of the queue serve on after the server has gone again and again, in the midst of whatever was done', async () => {
  const postgres = await startPostgres({ dataDir: 'temporary' });
  const pool = new Pool({ connectionString: await provideDatabase(postgres, 'pools'), max: 10 });
  withstandBreaks(pool);
  const connections = new QueueConnections(pool, 2);
  let isOver = false;
  let served = 0;
  const keepAt = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work().then(
        () => (served += 1),
        () => pause(2),
      );
    }
  };
  const working = Promise.all([
    ...Array.from({ length: 3 }, () =>
      keepAt(() => connections.use((client) => execute(client, { name: 'one', text: 'SELECT 1', values: [] }))),
    ),
    ...Array.from({ length: 6 }, () =>
      keepAt(() =>
        inTransaction(pool, async (client) => {
          await client.query('SELECT 1');
          await new Promise(setImmediate);
          await client.query('SELECT 2');
        }),
      ),
    ),
  ]);
  try {
    for (let round = 0; round < 8; round += 1) {
      const before = served;
      await until(() => served >= before + 100);
      await postgres.restart();
    }
  } finally {
    isOver = true;
    await working;
    await connections.onApplicationShutdown();
    await pool.end();
    await postgres.stop();
  }
}, 180_000);
