import { Emitter } from './emitter';

interface Events {
  said: string;
  left: undefined;
}

it('tells whoever listens, in order, until they do not want to hear more', () => {
  const events = new Emitter<Events>();
  const heard: string[] = [];
  const end = events.on('said', (text) => heard.push(`1 ${text}`));
  events.on('said', (text) => heard.push(`2 ${text}`));
  events.once('said', (text) => heard.push(`once ${text}`));
  events.emit('said', 'a');
  end();
  events.emit('said', 'b');
  events.emit('left', undefined);
  expect(heard).toEqual(['1 a', '2 a', 'once a', '2 b']);
});

it('gives the place', () => {
  const events = new Emitter<Events>();
  const places: unknown[] = [];
  events.on('said', (_text, place) => places.push(place));
  events.emit('said', 'a', { stream: 'c', seq: 1 });
  expect(places).toEqual([{ stream: 'c', seq: 1 }]);
});

it('takes one function twice for two listeners', () => {
  const events = new Emitter<Events>();
  let count = 0;
  const listener = () => (count += 1);
  const [end] = [events.on('said', listener), events.on('said', listener)];
  end();
  events.emit('said', 'a');
  expect(count).toBe(1);
});

it('lets the others hear when one fails, and does not hide the failure', () => {
  const events = new Emitter<Events>();
  const later: (() => void)[] = [];
  const queue = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation((act) => later.push(act));
  let isHeard = false;
  events.on('said', () => {
    throw new Error('mistake');
  });
  events.on('said', () => (isHeard = true));
  events.emit('said', 'a');
  queue.mockRestore();
  expect(isHeard).toBe(true);
  expect(later).toHaveLength(1);
  expect(later[0]).toThrow('mistake');
});
