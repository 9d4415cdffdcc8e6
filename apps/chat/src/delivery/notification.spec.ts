import { hint } from './hint';

const message = { id: '1', sender: 'alice', recipient: null, content: 'hello', sentAt: '2026-01-01T00:00:00.000Z' };
const event = { type: 'member-added', payload: { username: 'bob' }, to: {} };
const change = { stream: 'a', seq: 2, told: [event], joins: ['bob'], leaves: [] };
const ofEntry = (entry: unknown) => ({ kind: 'entries', entries: [entry] });

it.each<[string, object]>([
  ['a message', ofEntry({ stream: 'a', seq: 1, message })],
  ['a message of a dm', ofEntry({ stream: 'a', seq: 1, message: { ...message, recipient: 'bob' } })],
  ['a change', ofEntry(change)],
  ['events for some', ofEntry({ ...change, told: [{ ...event, to: ['bob'] }] })],
  ['events for all but one', ofEntry({ ...change, told: [{ ...event, to: { except: 'bob', also: 'carol' } }] })],
  ['a look', { kind: 'look', account: 'alice', stream: 'a', again: true }],
  ['a mention', { kind: 'mention', event }],
])('%s is heard as it was told', (_what, told) => {
  expect(hint.parse(JSON.parse(JSON.stringify(told)))).toEqual(told);
});

// Whoever has Redis may write there. Held until its turn came, such an entry failed in the midst of something else: of the closing
// of a socket, which ended the process.
it.each<[string, unknown]>([
  ['of nothing', null],
  ['without a stream', { seq: 1, message }],
  ['of a stream that is no text', { stream: {}, seq: 1, message }],
  ['without a place', { stream: 'a', message }],
  ['at a place that is a text', { stream: 'a', seq: '1', message }],
  ['at no whole place', { stream: 'a', seq: 1.5, message }],
  ['before the first place', { stream: 'a', seq: 0, message }],
  ['beyond the last number', { stream: 'a', seq: 1e300, message }],
  ['without anything', { stream: 'a', seq: 1 }],
  ['of a message without a text', { stream: 'a', seq: 1, message: { ...message, content: undefined } }],
  ['of a message to nobody', { stream: 'a', seq: 1, message: { ...message, recipient: undefined } }],
  ['that tells nothing', { ...change, told: null }],
  ['that tells of nothing', { ...change, told: [null] }],
  ['that tells of an event without a type', { ...change, told: [{ ...event, type: undefined }] }],
  ['that tells of an event of an unknown type', { ...change, told: [{ ...event, type: 'toString' }] }],
  ['that tells of an event without a payload', { ...change, told: [{ ...event, payload: undefined }] }],
  ['that is for nobody', { ...change, told: [{ ...event, to: null }] }],
  ['that is for what is no account', { ...change, told: [{ ...event, to: [1] }] }],
  ['that is for all but what is no account', { ...change, told: [{ ...event, to: { except: 1 } }] }],
  ['that is for a list that is none', { ...change, told: [{ ...event, to: { length: 1 } }] }],
  ['that says not who joins', { ...change, joins: undefined }],
  ['that says not who leaves', { ...change, leaves: 'bob' }],
])('an entry %s is none', (_what, entry) => {
  expect(hint.safeParse(ofEntry(entry)).success).toBe(false);
});
