import { StreamSubscribers } from './stream-subscribers';

describe('StreamSubscribers', () => {
  it('subscribes an account from a sequence number on, until it leaves, and again', () => {
    const subscribers = new StreamSubscribers();
    subscribers.add('alice', 5);
    subscribers.add('alice', 2);
    expect([1, 2, 5].map((seq) => subscribers.receives('alice', seq))).toEqual([false, true, true]);
    subscribers.end('alice', 3);
    expect([3, 4, 5].map((seq) => subscribers.at(seq))).toEqual([[], [], ['alice']]);
    subscribers.end('bob', 3);
    subscribers.end('alice', Infinity);
    expect(subscribers.isEmpty).toBe(true);
  });

  it('confirms only the subscription that waits', () => {
    const subscribers = new StreamSubscribers();
    subscribers.add('alice', 2);
    subscribers.awaitConfirmation('alice', 2);
    subscribers.confirm('alice', 1);
    expect(subscribers.isConfirmed('alice')).toBe(false);
    subscribers.confirm('alice', 2);
    expect(subscribers.isConfirmed('alice')).toBe(true);
  });
});
