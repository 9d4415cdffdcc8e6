import { Devnet } from '@waggle/devnet';
import { type CollectedSpan, type TestDatabase, TraceCollector } from '@waggle/testing';
import { freshDatabase, tokenPrivateKey } from '../support/chat-under-test';
import { ChatProcess } from './chat-process';

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let devnet: Devnet;
  let database: TestDatabase;
  let collector: TraceCollector;
  let chat: ChatProcess;
  beforeAll(async () => {
    devnet = await Devnet.start();
    database = await freshDatabase();
    collector = await TraceCollector.start();
    chat = await ChatProcess.start({
      DATABASE_URL: database.url,
      HIVE_API_NODES: devnet.url,
      TOKEN_PRIVATE_KEY: tokenPrivateKey,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // Export delay in milliseconds.
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
  });
  afterAll(async () => {
    await chat.stop();
    await collector.stop();
    await devnet.stop();
    await database.drop();
  });

  it('traces a frame from the client to its statements and its delivery', async () => {
    const alice = await chat.join('alice');
    const { id } = await alice.open('bob', 'Hello');
    alice.socket.send('chat-message', { conversation_id: id, message: 'the secret recipe' });
    await alice.socket.nextPayloads('chat-message', 1);
    const frame = await collector.next(({ name }) => name === 'frame chat-message');
    expect(frame.parentSpanId).toBeUndefined();
    const isChild = (span: CollectedSpan) => span.traceId === frame.traceId && span.parentSpanId === frame.spanId;
    await collector.next((span) => isChild(span) && span.name === 'deliver');
    await collector.next(
      (span) => span.traceId === frame.traceId && /insert into/i.test(String(span.attributes['db.query.text'])),
    );
    expect(collector.bodies.join()).not.toContain('secret recipe');
  });

  it('traces a frame that failed, but none of an unknown type', async () => {
    const carol = await chat.join('carol');
    carol.socket.send('a-type-of-my-own', {});
    carol.socket.send('chat-message', {});
    await carol.socket.nextPayloads('error', 2);
    const failed = await collector.next(({ name, status }) => name === 'frame chat-message' && status.code === 2);
    expect(failed.parentSpanId).toBeUndefined();
    expect(collector.bodies.join()).not.toContain('a-type-of-my-own');
  });
});
