import { startRedis, type RedisServer } from '@waggle/testing';
import { createLogger } from '../src/observability/logging';
import { connectRedis, type RedisClient } from '../src/redis';

describe('the log of an error', () => {
  let server: RedisServer;
  let redis: RedisClient;
  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis([server.url], createLogger('test', 'silent'));
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  /** The log line of an error, as text and parsed. */
  function lineOf(err: unknown) {
    const lines: string[] = [];
    createLogger('test', 'info', { write: (line) => lines.push(line) }).error({ err }, 'it failed');
    const [text = ''] = lines;
    const line: { err: unknown } = JSON.parse(text);
    return { text, err: line.err };
  }

  const errorReplyOf = (command: string, ...args: string[]): Promise<unknown> =>
    redis.call(command, ...args).then(
      () => undefined,
      (error: unknown) => error,
    );

  it.each([
    ['SPUBLISH', ['secret-channel', 'secret-text', 'secret-more'], /wrong number of arguments/],
    ['SET', ['secret-key', 'secret-value', 'secret-option'], /syntax error/],
    // As Redis before 7 responds to SPUBLISH.
    ['NONSENSE', ['secret-channel', 'secret-text'], /unknown command/],
  ])('of Redis for %s has the message of Redis without the arguments', async (command, args, message) => {
    const { text, err } = lineOf(await errorReplyOf(command, ...args));
    expect(err).toMatchObject({
      type: 'ReplyError',
      message: expect.stringMatching(message),
      stack: expect.stringMatching(message),
    });
    expect(text).not.toContain('secret-');
  });

  it('has its cause and the errors that it aggregates, by the same rule', async () => {
    const errorReply = await errorReplyOf('SET', 'secret-key', 'secret-value', 'secret-option');
    const many = Object.assign(new AggregateError([errorReply, errorReply], 'both failed'), { secret: 'secret-field' });
    const { text, err } = lineOf(new Error('it could not be done', { cause: many }));
    const ofRedis = { type: 'ReplyError', message: 'ERR syntax error' };
    expect(err).toMatchObject({
      message: 'it could not be done',
      cause: { type: 'AggregateError', message: 'both failed', aggregateErrors: [ofRedis, ofRedis] },
    });
    expect(text).not.toContain('secret-');
  });

  it('terminates even if an error is its own cause', () => {
    const error = new Error('round and round');
    error.cause = error;
    expect(lineOf(error).err).toMatchObject({ cause: { cause: { message: 'round and round' } } });
  });

  it('has the names of the schema that PostgreSQL reports, and no values', () => {
    const { text, err } = lineOf(
      Object.assign(new Error('duplicate key value violates unique constraint "one"'), {
        ...{ code: '23505', severity: 'ERROR', table: 'conversation', constraint: 'one' },
        ...{ detail: 'Key (secret-a)', where: 'secret-b', query: 'secret-c', parameters: ['secret-d'] },
        ...{ driverError: { detail: 'secret-e' } },
      }),
    );
    expect(err).toMatchObject({ code: '23505', severity: 'ERROR', table: 'conversation', constraint: 'one' });
    expect(text).not.toContain('secret-');
  });
});
