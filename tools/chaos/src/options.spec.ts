import { PlainError } from '@waggle/running';
import { readOptions } from './options';

const read = (...args: string[]) => readOptions(args, ['kill', 'cut', 'pause'], '/clone');

it('runs all faults for ten minutes with 200 clients by default', () => {
  expect(read()).toEqual({
    minutes: 10,
    clients: 200,
    perSecond: 100,
    seed: expect.any(Number),
    kinds: ['kill', 'cut', 'pause'],
    each: [],
    isQuick: false,
    isRedisCluster: false,
    file: '/clone/.bench/chaos-chat.json',
    observationFile: undefined,
  });
  expect(read('--minutes', '0.5', '--clients', '12', '--rate=30', '--seed', '7', '--quick')).toMatchObject({
    ...{ minutes: 0.5, clients: 12, perSecond: 30, seed: 7, isQuick: true },
  });
});

it('accepts a selection of faults, random or in order', () => {
  expect(read('--kinds', 'cut,kill')).toMatchObject({ kinds: ['cut', 'kill'], each: [] });
  expect(read('--each', 'cut,kill,cut')).toMatchObject({ each: ['cut', 'kill', 'cut'] });
});

it('accepts a Redis Cluster', () => {
  expect(read('--redis-cluster')).toMatchObject({ isRedisCluster: true });
});

it('accepts the paths of its output', () => {
  expect(read('--out', 'a.json', '--observed', '/tmp/b.json')).toMatchObject({
    file: '/clone/a.json',
    observationFile: '/tmp/b.json',
  });
});

it.each([
  [['--each', 'nosuch'], 'There is no fault nosuch.'],
  [['--kinds', 'kill,nosuch'], 'There is no fault nosuch.'],
  [['--clients', 'many'], '--clients'],
  [['--clients', '2'], '--clients'],
  [['--minutes', '0'], '--minutes'],
  [['--fast'], '--fast'],
])('prints the usage for %j', (args, reason) => {
  expect(() => read(...args)).toThrow(PlainError);
  expect(() => read(...args)).toThrow(reason);
  expect(() => read(...args)).toThrow('faults: kill, cut, pause');
});
