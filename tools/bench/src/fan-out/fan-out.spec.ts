import { Random } from '@waggle/testing';
import { costOf, instancesReached, placeMessages } from './fan-out';

it('adds up the cost', () => {
  // A dm across two instances, a dm at one, and a group of four members at three instances.
  const messages = [
    { sender: 0, receivers: [0, 1] },
    { sender: 2, receivers: [2, 2] },
    { sender: 1, receivers: [1, 0, 0, 2] },
  ];
  expect(costOf(messages, { instances: 3, messagesPerCommit: 2 })).toEqual({
    messages: 3,
    published: 3,
    carried: 2 + 1 + 3,
    frames: 2 + 2 + 4,
    // Two commits, each read by three instances.
    commitsRead: 6,
  });
});

it('does not use Redis with one instance', () => {
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
])('%i receivers over %i instances reach %d of them', (receivers, instances, reached) => {
  expect(instancesReached(receivers, instances)).toBeCloseTo(reached, 10);
});

it('agrees with the average for random messages', () => {
  const instances = 20;
  const messages = placeMessages(5_000, instances, [{ connected: 8, share: 1 }], new Random(1));
  const { carried } = costOf(messages, { instances, messagesPerCommit: 1 });
  expect(carried / messages.length / instancesReached(8, instances)).toBeCloseTo(1, 1);
});
