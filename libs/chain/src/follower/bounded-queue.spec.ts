import { BoundedQueue } from './bounded-queue';

const turns = async () => {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
};

it('gives what was put, in order', async () => {
  const queue = new BoundedQueue<number>(10);
  const taken = [queue.take()];
  await queue.put(1);
  await queue.put(2);
  taken.push(queue.take());
  expect(await Promise.all(taken)).toEqual([1, 2]);
});

it('makes who puts wait while it is full', async () => {
  const queue = new BoundedQueue<number>(2);
  await queue.put(1);
  let hasRoom = false;
  const put = queue.put(2).then(() => {
    hasRoom = true;
  });
  await turns();
  expect(hasRoom).toBe(false);
  expect(await queue.take()).toBe(1);
  await put;
});

it('gives what is left when it is closed, and then nothing', async () => {
  const queue = new BoundedQueue<number>(1);
  const put = queue.put(1);
  queue.close();
  await put;
  await queue.put(2);
  expect([await queue.take(), await queue.take()]).toEqual([1, undefined]);
});

it('tells who waits that nothing comes any more', async () => {
  const queue = new BoundedQueue<number>(1);
  const taken = queue.take();
  queue.close();
  expect(await taken).toBeUndefined();
});
