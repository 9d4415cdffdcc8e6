import { Running } from './running';

const running = new Running();
const ended: string[] = [];
const start = (name: string) => running.use({ stop: () => ended.push(name) });

beforeEach(() => {
  ended.length = 0;
});

it('ends the last part first', async () => {
  for (const name of ['one', 'two', 'three']) start(name);
  await running.endAll();
  expect(ended).toEqual(['three', 'two', 'one']);
});

it('still ends the other parts after one was ended twice', async () => {
  const one = start('one');
  start('two');
  await running.end(one);
  await running.end(one);
  await running.endAll();
  expect(ended).toEqual(['one', 'one', 'two']);
});

it('ends every part if one is also ended separately', async () => {
  const [, , three] = ['one', 'two', 'three'].map(start);
  await Promise.all([running.endAll(), three && running.end(three)]);
  expect(new Set(ended)).toEqual(new Set(['one', 'two', 'three']));
});
