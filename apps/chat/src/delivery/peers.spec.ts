import { TestBus } from '../../test/support/delivery-parts';
import { busMessage } from './bus-message';
import { Cursor } from './cursor';
import { type EphemeralEvent } from './ephemeral-events';
import { Peers } from './peers';

const message = { id: '1', sender: 'alice', recipient: null, content: 'hello', sentAt: '2026-01-01T00:00:00.000Z' };
const event = { type: 'member-added', payload: { username: 'bob' }, to: {} };
const typing: EphemeralEvent = { type: 'typing', payload: { conversation_id: 'a', username: 'bob' }, to: {} };
const change = {
  stream: 'a',
  seq: 2,
  events: [event],
  joins: ['bob'],
  leaves: [],
  subscriptions: [{ conversation: 'b', from: 1 }],
};
const ofEntry = (entry: unknown) => ({ kind: 'entries', entries: [entry], timeline: 'abc' });

it.each<[string, object]>([
  ['a message', ofEntry({ stream: 'a', seq: 1, message })],
  ['a message of a dm', ofEntry({ stream: 'a', seq: 1, message: { ...message, recipient: 'bob' } })],
  ['a change', ofEntry(change)],
  ['events for some', ofEntry({ ...change, events: [{ ...event, to: ['bob'] }] })],
  ['events for all but one', ofEntry({ ...change, events: [{ ...event, to: { except: 'bob' } }] })],
  ['a change of an account', ofEntry({ ...change, events: [{ ...event, made: { by: 'bob', timestamp: 't' } }] })],
  ['an ephemeral event', { kind: 'ephemeral', event: typing }],
  ['an ephemeral event that follows an entry', { kind: 'ephemeral', event: typing, after: 2 }],
])('%s is received as it was sent', (_what, sent) => {
  expect(busMessage.parse(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
});

it('an ephemeral event of a type that is stored is invalid', () => {
  expect(busMessage.safeParse({ kind: 'ephemeral', event }).success).toBe(false);
});

// Any client of Redis could send such an entry. If it were queued, it would make something else fail later, such as
// closing a socket.
it.each<[string, unknown]>([
  ['of nothing', null],
  ['without a stream', { seq: 1, message }],
  ['of a stream that is no string', { stream: {}, seq: 1, message }],
  ['without a sequence number', { stream: 'a', message }],
  ['with a sequence number that is a string', { stream: 'a', seq: '1', message }],
  ['with a fractional sequence number', { stream: 'a', seq: 1.5, message }],
  ['before the first sequence number', { stream: 'a', seq: 0, message }],
  ['beyond the last number', { stream: 'a', seq: 1e300, message }],
  ['without anything', { stream: 'a', seq: 1 }],
  ['of a message without content', { stream: 'a', seq: 1, message: { ...message, content: undefined } }],
  ['of a message without a recipient', { stream: 'a', seq: 1, message: { ...message, recipient: undefined } }],
  ['without events', { ...change, events: null }],
  ['with an empty event', { ...change, events: [null] }],
  ['with an event without a type', { ...change, events: [{ ...event, type: undefined }] }],
  ['with an event of an unknown type', { ...change, events: [{ ...event, type: 'toString' }] }],
  ['with an event without a payload', { ...change, events: [{ ...event, payload: undefined }] }],
  ['with a change that is made by no name', { ...change, events: [{ ...event, made: { by: [], timestamp: '' } }] }],
  ['without recipients', { ...change, events: [{ ...event, to: null }] }],
  ['for a recipient that is no name', { ...change, events: [{ ...event, to: [1] }] }],
  ['with an exception that is no name', { ...change, events: [{ ...event, to: { except: 1 } }] }],
  ['with a list of recipients that is none', { ...change, events: [{ ...event, to: { length: 1 } }] }],
  ['that does not say who joins', { ...change, joins: undefined }],
  ['that does not say who leaves', { ...change, leaves: 'bob' }],
  ['with a subscription from nowhere', { ...change, subscriptions: [{ conversation: 'b' }] }],
])('an entry %s is invalid', (_what, entry) => {
  expect(busMessage.safeParse(ofEntry(entry)).success).toBe(false);
});

it.each<[string, TestBus | undefined, string[]]>([
  ['everything with a bus', new TestBus(), ['event', 'entry']],
  ['nothing without one', undefined, []],
])('Peers serialize %s', async (_what, bus, expected) => {
  const serialized: string[] = [];
  const toJSON = (name: string) => () => {
    serialized.push(name);
    return {};
  };
  const peers = new Peers(bus, new Cursor());
  peers.publish([Object.assign({ stream: 'a', seq: 1, message }, { toJSON: toJSON('entry') })]);
  peers.publishEphemeral('a', Object.assign({ ...typing }, { toJSON: toJSON('event') }));
  await new Promise(setImmediate);
  expect(serialized).toEqual(expected);
});
