import path from 'node:path';
import { PlainError } from '@waggle/running';
import { readOptions } from './options';

const read = (...args: string[]) => readOptions(args, ['high-1', 'high-2', 'low-8']);

it('runs all attacks in their order unless some are named', () => {
  expect(read().names).toEqual(['high-1', 'high-2', 'low-8']);
  expect(read('low-8', 'high-1').names).toEqual(['high-1', 'low-8']);
});

it('limits heaps and attacks the services of this checkout by default', () => {
  expect(read()).toMatchObject({ heapMebibytes: 512, checkout: undefined, soakMinutes: undefined, isQuick: false });
  expect(read('--services', '/before', '--heap', '256')).toMatchObject({ heapMebibytes: 256, checkout: '/before' });
  expect(read('--services', '../old').checkout).toBe(path.resolve('../old'));
});

it('soaks for ten minutes by default', () => {
  expect(read('soak').soakMinutes).toBe(10);
  expect(read('soak', '--minutes', '0.5').soakMinutes).toBe(0.5);
});

it.each([[['nosuch']], [['--fast']], [['--heap', 'small']], [['soak', 'high-1']]])(
  'rejects %j with the usage',
  (args) => {
    expect(() => read(...args)).toThrow(PlainError);
    expect(() => read(...args)).toThrow('[high-1] [high-2] [low-8]');
  },
);
