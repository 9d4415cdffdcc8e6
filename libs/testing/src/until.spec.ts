import { until } from './until';

it('asks again and again until it is so', async () => {
  let asked = 0;
  await until(() => ++asked === 3);
  await until(() => Promise.resolve(++asked === 6));
  expect(asked).toBe(6);
});

it('gives up in time, and says what it waited for and what there is instead', async () => {
  const lines = ['one', 'another'];
  await expect(until(() => lines.includes('a third'), { limitMs: 20 })).rejects.toThrow(
    /^waited in vain for .*'a third'/,
  );
  await expect(until(() => lines.includes('a third'), { limitMs: 20, instead: () => lines })).rejects.toThrow(
    'there is ["one","another"]',
  );
});

it('does not hide what the condition throws', async () => {
  await expect(until(() => Promise.reject(new Error('it has ended')))).rejects.toThrow('it has ended');
});
