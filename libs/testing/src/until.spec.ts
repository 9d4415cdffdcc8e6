import { until } from './until';

it('polls until the condition is met', async () => {
  let calls = 0;
  await until(() => ++calls === 3);
  await until(() => Promise.resolve(++calls === 6));
  expect(calls).toBe(6);
});

it('times out with the condition and the actual state', async () => {
  const lines = ['one', 'another'];
  await expect(until(() => lines.includes('a third'), { limitMs: 20 })).rejects.toThrow(
    /^timed out waiting for .*'a third'/,
  );
  await expect(until(() => lines.includes('a third'), { limitMs: 20, actual: () => lines })).rejects.toThrow(
    'there is ["one","another"]',
  );
});

it('rejects with the error of the condition', async () => {
  await expect(until(() => Promise.reject(new Error('it has ended')))).rejects.toThrow('it has ended');
});
