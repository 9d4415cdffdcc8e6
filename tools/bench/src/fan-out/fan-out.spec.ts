import { costOf, instancesReached } from './fan-out';

it.each([
  [2, 2, 1.5],
  [1, 7, 1],
  [3, 2, 1.75],
])('%i receivers over %i instances reach %d of them', (receivers, instances, reached) => {
  expect(instancesReached(receivers, instances)).toBeCloseTo(reached, 10);
});

const kinds = [
  { connected: 3, share: 0.75 },
  { connected: 1, share: 0.25 },
];

it('adds up the cost of all kinds', () => {
  const { carried, frames, commitsRead } = costOf(kinds, { instances: 2, messagesPerSecond: 8, messagesPerCommit: 4 });
  expect(carried).toBeCloseTo(6 * 1.75 + 2, 10);
  expect(frames).toBeCloseTo(6 * 3 + 2, 10);
  // Two commits, each read by both instances.
  expect(commitsRead).toBe(4);
});

it('does not use Redis with one instance', () => {
  const load = { instances: 1, messagesPerSecond: 8, messagesPerCommit: 1 };
  expect(costOf(kinds, load)).toEqual({ carried: 0, frames: 20, commitsRead: 8 });
});
