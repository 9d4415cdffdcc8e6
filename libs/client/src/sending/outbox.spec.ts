import { OutboxFullError } from '../errors';
import { Outbox, type OutgoingMessage } from './outbox';

const message = (clientId: string, queue = 'c'): OutgoingMessage => ({
  clientId,
  queue,
  frame: { type: 'chat-message', payload: { conversation_id: queue, message: clientId } },
});

const idsOf = (messages: readonly OutgoingMessage[]) => messages.map(({ clientId }) => clientId);

function outboxOf(messages: OutgoingMessage[], limits = { limit: 10, inFlight: 3 }): Outbox {
  const outbox = new Outbox(limits);
  for (const each of messages) outbox.add(each);
  return outbox;
}

it('sends one message at a time per queue, and serves queues concurrently', () => {
  const outbox = outboxOf([message('a1', 'a'), message('a2', 'a'), message('b1', 'b')]);
  expect(idsOf(outbox.take(0))).toEqual(['a1', 'b1']);
  expect(idsOf(outbox.take(0))).toEqual([]);
  outbox.remove('a1');
  expect(idsOf(outbox.take(0))).toEqual(['a2']);
});

it('limits the messages in flight', () => {
  const outbox = outboxOf(['a', 'b', 'c', 'd', 'e'].map((queue) => message(queue, queue)));
  expect(idsOf(outbox.take(0))).toEqual(['a', 'b', 'c']);
  outbox.remove('b');
  expect(idsOf(outbox.take(0))).toEqual(['d']);
});

it('blocks a queue while its first message waits for a retry', () => {
  const outbox = outboxOf([message('a1', 'a'), message('a2', 'a'), message('b1', 'b')]);
  outbox.take(0);
  outbox.requeue('a1', 500);
  outbox.remove('b1');
  expect(idsOf(outbox.take(499))).toEqual([]);
  expect(outbox.nextAtMs(100)).toBe(500);
  expect(idsOf(outbox.take(500))).toEqual(['a1']);
  expect(outbox.nextAtMs(500)).toBeUndefined();
});

it('sends nothing during a pause', () => {
  const outbox = outboxOf([message('a', 'a'), message('b', 'b')]);
  outbox.pause(500);
  outbox.pause(300);
  expect(outbox.take(499)).toEqual([]);
  expect(outbox.nextAtMs(0)).toBe(500);
  expect(idsOf(outbox.take(500))).toEqual(['a', 'b']);
});

it('resends messages in flight in order and with their idempotency keys', () => {
  const outbox = outboxOf([message('a1', 'a'), message('b1', 'b'), message('a2', 'a')]);
  const startedAtMs = Date.now();
  const first = outbox.take(7);
  outbox.requeueAll();
  expect(outbox.take(9)).toEqual(first);
  for (const { firstSentAtMs } of first) expect(firstSentAtMs).toBeGreaterThanOrEqual(startedAtMs);
});

it('rejects messages beyond its limit', () => {
  const outbox = outboxOf([message('1'), message('2')], { limit: 2, inFlight: 1 });
  expect(() => {
    outbox.add(message('3'));
  }).toThrow(OutboxFullError);
  outbox.remove('1');
  outbox.add(message('3'));
  expect(idsOf(outbox.messages)).toEqual(['2', '3']);
});

it('queues messages of an earlier run before the others', () => {
  const outbox = outboxOf([message('new')]);
  outbox.restore([message('old-1'), message('old-2')]);
  expect(idsOf(outbox.messages)).toEqual(['old-1', 'old-2', 'new']);
  expect(idsOf(outbox.take(0))).toEqual(['old-1']);
});
