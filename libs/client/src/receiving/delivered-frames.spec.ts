import { DeliveredFrames } from './delivered-frames';

const frame = (seq: number, type = 'chat-message', id = `${type}-${seq}`, stream = 'c') => ({
  type,
  payload: { id },
  position: { stream, seq },
});

let delivered: DeliveredFrames;
beforeEach(() => {
  delivered = new DeliveredFrames();
});

it('accepts each entry of each stream once', () => {
  expect([1, 2, 4].map((seq) => delivered.add(frame(seq)))).toEqual([true, true, true]);
  expect([1, 2, 3, 4].map((seq) => delivered.add(frame(seq)))).toEqual([false, false, false, false]);
  expect(delivered.add(frame(5))).toBe(true);
  expect(delivered.add(frame(4, 'chat-message', 'x', 'another'))).toBe(true);
});

it('accepts each frame of an entry once, even if the connection was lost between them', () => {
  expect(delivered.add(frame(7, 'conversation-created', 'c'))).toBe(true);
  expect(delivered.add(frame(7, 'conversation-created', 'c'))).toBe(false);
  expect(delivered.add(frame(7, 'chat-message', 'm'))).toBe(true);
  expect(delivered.add(frame(7, 'chat-message', 'm'))).toBe(false);
  expect(delivered.add(frame(8))).toBe(true);
  expect(delivered.add(frame(7, 'chat-message', 'other'))).toBe(false);
});

it('distinguishes frames of the same type and entry by their subject', () => {
  const added = (username: string) => ({
    type: 'member-added',
    payload: { username },
    position: { stream: 'c', seq: 1 },
  });
  expect(['bob', 'carol', 'bob'].map((name) => delivered.add(added(name)))).toEqual([true, true, false]);
});

it('accepts the reply to a repeated message early, then the entries before it, and not the same reply again', () => {
  expect(delivered.add(frame(1))).toBe(true);
  expect(delivered.add(frame(5), true)).toBe(true);
  expect(delivered.add(frame(5), true)).toBe(false);
  expect(delivered.add(frame(3))).toBe(true);
  expect(delivered.add(frame(5))).toBe(false);
  expect(delivered.add(frame(5, 'conversation-created', 'c'))).toBe(true);
  expect(delivered.add(frame(6))).toBe(true);
});

it('rejects the reply to a repeated message if its entry was delivered', () => {
  for (const seq of [1, 2, 3]) delivered.add(frame(seq));
  expect(delivered.add(frame(2), true)).toBe(false);
  expect(delivered.add(frame(3), true)).toBe(false);
});

it('rejects entries that were fetched', () => {
  delivered.add(frame(1));
  delivered.add(frame(4), true);
  delivered.skipTo({ stream: 'c', seq: 5 });
  expect([2, 4, 5].map((seq) => delivered.add(frame(seq)))).toEqual([false, false, false]);
  expect(delivered.add(frame(6))).toBe(true);
  delivered.skipTo({ stream: 'c', seq: 2 });
  expect(delivered.add(frame(3))).toBe(false);
});

it('accepts every frame without a sequence number', () => {
  const typing = { type: 'typing', payload: { username: 'bob' }, position: undefined };
  expect([delivered.add(typing), delivered.add(typing)]).toEqual([true, true]);
});
