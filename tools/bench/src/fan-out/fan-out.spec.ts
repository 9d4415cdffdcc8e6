import { Random } from '@waggle/testing';
import { costOf, instancesReached, placeMessages } from './fan-out';

it('adds up as by hand', () => {
  // A dm across two instances, a dm at one, and a group of four over three with two of them at the same.
  const messages = [
    { sender: 0, hearers: [0, 1] },
    { sender: 2, hearers: [2, 2] },
    { sender: 1, hearers: [1, 0, 0, 2] },
  ];
  expect(costOf(messages, { instances: 3, messagesPerCommit: 2 })).toEqual({
    messages: 3,
    published: 3,
    carried: 2 + 1 + 3,
    frames: 2 + 2 + 4,
    // Two commits, which three instances read.
    commitsRead: 6,
  });
});

it('needs no Redis at one instance', () => {
  const messages = placeMessages(10, 1, [{ connected: 5, share: 1 }], new Random(1));
  expect(costOf(messages, { instances: 1, messagesPerCommit: 1 })).toMatchObject({
    published: 0,
    carried: 0,
    frames: 50,
  });
});

it.each([
  [2, 2, 1.5],
  [1, 7, 1],
  [3, 2, 1.75],
])('%i hearers over %i instances reach %d of them', (hearers, instances, reached) => {
  expect(instancesReached(hearers, instances)).toBeCloseTo(reached, 10);
});

it('comes by chance to what it comes to on average', () => {
  const instances = 20;
  const messages = placeMessages(5_000, instances, [{ connected: 8, share: 1 }], new Random(1));
  const { carried } = costOf(messages, { instances, messagesPerCommit: 1 });
  expect(carried / messages.length / instancesReached(8, instances)).toBeCloseTo(1, 1);
});
