import { Emitter } from './emitter';

interface Events {
  said: string;
  left: undefined;
}

it('calls listeners in order until they are removed', () => {
  const events = new Emitter<Events>();
  const received: string[] = [];
  const remove = events.on('said', (text) => received.push(`1 ${text}`));
  events.on('said', (text) => received.push(`2 ${text}`));
  events.once('said', (text) => received.push(`once ${text}`));
  events.emit('said', 'a');
  remove();
  events.emit('said', 'b');
  events.emit('left', undefined);
  expect(received).toEqual(['1 a', '2 a', 'once a', '2 b']);
});

it('does not call a listener that an earlier one has removed', () => {
  const events = new Emitter<Events>();
  const received: string[] = [];
  events.on('said', (text) => {
    received.push(text);
    remove();
  });
  const remove = events.on('said', () => received.push('removed'));
  events.emit('said', 'a');
  expect(received).toEqual(['a']);
});

it('passes the position', () => {
  const events = new Emitter<Events>();
  const positions: unknown[] = [];
  events.on('said', (_text, position) => positions.push(position));
  events.emit('said', 'a', { stream: 'c', seq: 1 });
  expect(positions).toEqual([{ stream: 'c', seq: 1 }]);
});

it('treats a function that is added twice as two listeners', () => {
  const events = new Emitter<Events>();
  let count = 0;
  const listener = () => (count += 1);
  const [remove] = [events.on('said', listener), events.on('said', listener)];
  remove();
  events.emit('said', 'a');
  expect(count).toBe(1);
});

it('calls the other listeners if one throws, and makes the exception an uncaught error', () => {
  const events = new Emitter<Events>();
  const microtasks: (() => void)[] = [];
  const queue = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => microtasks.push(task));
  let isCalled = false;
  events.on('said', () => {
    throw new Error('mistake');
  });
  events.on('said', () => (isCalled = true));
  events.emit('said', 'a');
  queue.mockRestore();
  expect(isCalled).toBe(true);
  expect(microtasks).toHaveLength(1);
  expect(microtasks[0]).toThrow('mistake');
});
