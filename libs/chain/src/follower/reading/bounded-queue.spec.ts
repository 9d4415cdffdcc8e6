import { BoundedQueue } from './bounded-queue';

const turns = async () => {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
};
const queueOf = (limit: number) => new BoundedQueue<number>(({ length }) => length >= limit);

it('returns items in insertion order', async () => {
  const queue = queueOf(10);
  const taken = [queue.take()];
  await queue.put(1);
  await queue.put(2);
  taken.push(queue.take());
  expect(await Promise.all(taken)).toEqual([1, 2]);
});

it('makes the producer wait while it is full', async () => {
  const queue = queueOf(2);
  await queue.put(1);
  let hasRoom = false;
  const put = queue.put(2).then((isOpen) => {
    hasRoom = isOpen;
  });
  await turns();
  expect(hasRoom).toBe(false);
  expect(await queue.take()).toBe(1);
  await put;
  expect(hasRoom).toBe(true);
});

it('returns the remaining items when it is closed, and then undefined', async () => {
  const queue = queueOf(1);
  const put = queue.put(1);
  queue.close();
  expect(await put).toBe(false);
  expect(await queue.put(2)).toBe(false);
  expect([await queue.take(), await queue.take()]).toEqual([1, undefined]);
});

it('wakes the consumer when it is closed', async () => {
  const queue = queueOf(1);
  const taken = queue.take();
  queue.close();
  expect(await taken).toBeUndefined();
});

it('throws the error with which it was closed, after the last item', async () => {
  const queue = queueOf(10);
  await queue.put(1);
  queue.close(new Error('cannot read'));
  queue.close();
  expect(await queue.take()).toBe(1);
  await expect(queue.take()).rejects.toThrow('cannot read');
});
