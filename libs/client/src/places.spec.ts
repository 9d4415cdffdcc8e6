import { Places } from './places';

const frame = (seq: number, type = 'chat-message', id = `${type}-${seq}`, stream = 'c') => ({
  type,
  payload: { id },
  place: { stream, seq },
});

let places: Places;
beforeEach(() => {
  places = new Places();
});

it('hears each place of each stream once', () => {
  expect([1, 2, 4].map((seq) => places.hear(frame(seq)))).toEqual([true, true, true]);
  expect([1, 2, 3, 4].map((seq) => places.hear(frame(seq)))).toEqual([false, false, false, false]);
  expect(places.hear(frame(5))).toBe(true);
  expect(places.hear(frame(4, 'chat-message', 'x', 'another'))).toBe(true);
});

it('hears every frame of a place, once, wherever the connection was lost between them', () => {
  expect(places.hear(frame(7, 'conversation-created', 'c'))).toBe(true);
  expect(places.hear(frame(7, 'conversation-created', 'c'))).toBe(false);
  expect(places.hear(frame(7, 'chat-message', 'm'))).toBe(true);
  expect(places.hear(frame(7, 'chat-message', 'm'))).toBe(false);
  expect(places.hear(frame(8))).toBe(true);
  expect(places.hear(frame(7, 'chat-message', 'other'))).toBe(false);
});

it('tells frames of one type at one place apart by what they are about', () => {
  const added = (username: string) => ({ type: 'member-added', payload: { username }, place: { stream: 'c', seq: 1 } });
  expect(['bob', 'carol', 'bob'].map((name) => places.hear(added(name)))).toEqual([true, true, false]);
});

it('hears the answer to a repeat out of turn, and then what comes before it, and not the same again', () => {
  expect(places.hear(frame(1))).toBe(true);
  expect(places.hear(frame(5), true)).toBe(true);
  expect(places.hear(frame(5), true)).toBe(false);
  expect(places.hear(frame(3))).toBe(true);
  expect(places.hear(frame(5))).toBe(false);
  expect(places.hear(frame(5, 'conversation-created', 'c'))).toBe(true);
  expect(places.hear(frame(6))).toBe(true);
});

it('does not hear the answer to a repeat that was told already', () => {
  for (const seq of [1, 2, 3]) places.hear(frame(seq));
  expect(places.hear(frame(2), true)).toBe(false);
  expect(places.hear(frame(3), true)).toBe(false);
});

it('does not hear what was fetched', () => {
  places.hear(frame(1));
  places.hear(frame(4), true);
  places.know({ stream: 'c', seq: 5 });
  expect([2, 4, 5].map((seq) => places.hear(frame(seq)))).toEqual([false, false, false]);
  expect(places.hear(frame(6))).toBe(true);
  places.know({ stream: 'c', seq: 2 });
  expect(places.hear(frame(3))).toBe(false);
});

it('hears whatever has no place', () => {
  const typing = { type: 'typing', payload: { username: 'bob' }, place: undefined };
  expect([places.hear(typing), places.hear(typing)]).toEqual([true, true]);
});
