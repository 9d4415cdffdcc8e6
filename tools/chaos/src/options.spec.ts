import { PlainError } from '@waggle/running';
import { readOptions } from './options';

const read = (...args: string[]) => readOptions(args, ['kill', 'cut', 'pause'], '/clone');

it('runs ten minutes of all faults with two hundred clients, unless it is told otherwise', () => {
  expect(read()).toEqual({
    minutes: 10,
    clients: 200,
    perSecond: 100,
    seed: expect.any(Number),
    kinds: ['kill', 'cut', 'pause'],
    each: [],
    isQuick: false,
    isRedisCluster: false,
    sabotage: undefined,
    file: '/clone/.bench/chaos-chat.json',
    observationFile: undefined,
  });
  expect(read('--minutes', '0.5', '--clients', '12', '--rate=30', '--seed', '7', '--quick')).toMatchObject({
    ...{ minutes: 0.5, clients: 12, perSecond: 30, seed: 7, isQuick: true },
  });
});

it('takes some faults alone, at random or each in its turn', () => {
  expect(read('--kinds', 'cut,kill')).toMatchObject({ kinds: ['cut', 'kill'], each: [] });
  expect(read('--each', 'cut,kill,cut')).toMatchObject({ each: ['cut', 'kill', 'cut'] });
});

it('has three masters in place of one Redis where it is told so', () => {
  expect(read('--redis-cluster')).toMatchObject({ isRedisCluster: true });
});

it('writes where it is told', () => {
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
  [['--sabotage', 'forget'], '--sabotage'],
  [['--fast'], '--fast'],
])('says how to call it instead of %j', (args, reason) => {
  expect(() => read(...args)).toThrow(PlainError);
  expect(() => read(...args)).toThrow(reason);
  expect(() => read(...args)).toThrow('faults: kill, cut, pause');
});
