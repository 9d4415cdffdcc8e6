import { PlainError } from '@waggle/running';
import { readOptions } from './options';

const read = (...args: string[]) =>
  readOptions(args, { bench: 'chat', known: ['direct', 'latency', 'memory'], folder: '/clone' });

it('measures all figures in order by default', () => {
  expect(read()).toEqual({ figures: ['direct', 'latency', 'memory'], isQuick: false, file: '/clone/.bench/chat.json' });
  expect(read('memory', '--quick', 'direct').figures).toEqual(['direct', 'memory']);
  expect(read('--quick').isQuick).toBe(true);
});

it('keeps the results of the last full run', () => {
  expect(read('memory', 'direct').file).toBe('/clone/.bench/chat-direct-memory.json');
  expect(read('--quick').file).toBe('/clone/.bench/chat-quick.json');
});

it('accepts the path of its output', () => {
  expect(read('--out', 'a/b.json').file).toBe('/clone/a/b.json');
  expect(read('--out=/tmp/b.json').file).toBe('/tmp/b.json');
});

it.each([[['nosuch']], [['--fast']], [['--out']]])('prints the usage for %j', (args) => {
  expect(() => read(...args)).toThrow(PlainError);
  expect(() => read(...args)).toThrow('[direct] [latency] [memory]');
});

it('names a figure that does not exist', () => {
  expect(() => read('nosuch')).toThrow(/^There is no figure nosuch\.\n/);
});
