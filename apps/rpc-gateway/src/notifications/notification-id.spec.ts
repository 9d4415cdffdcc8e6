import {
  firstNotificationId,
  idsBelow,
  isIndexId,
  notificationId,
  positionsPerBlock,
  typeAndTimeOf,
} from './notification-id';

describe('ids of notifications', () => {
  const time = new Date('2049-12-31T23:59:57Z');

  it('contain time and type', () => {
    expect(typeAndTimeOf(notificationId(time, 'vote', positionsPerBlock - 1))).toEqual({ type: 'vote', time });
    expect(typeAndTimeOf(notificationId(time, 'new_community', 0))).toEqual({ type: 'new_community', time });
  });

  it('ascend by time, type and position, also as JavaScript numbers', () => {
    const ids = [
      notificationId(new Date(time.getTime() - 1_000), 'vote', positionsPerBlock - 1),
      firstNotificationId(time),
      notificationId(time, 'follow', 0),
      notificationId(time, 'follow', 1),
      notificationId(time, 'follow', positionsPerBlock - 1),
      notificationId(time, 'mention', 0),
    ];
    const numbers = ids.map(Number);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  });

  it('differ from those of nodes, even after a client has rounded them', () => {
    const ids = [0, 1, positionsPerBlock - 1].map((position) => notificationId(time, 'vote', position));
    for (const id of ids) expect([id, BigInt(Number(id))].map(isIndexId)).toEqual([true, true]);
    const firstOfNode = firstNotificationId(time);
    const ofNode = [0n, 1n, 31n, 100_000n].map((counter) => firstOfNode + counter);
    for (const id of ofNode) expect([id, BigInt(Number(id))].map(isIndexId)).toEqual([false, false]);
  });

  it('are recognized after a client has rounded them', () => {
    for (let position = 0; position < 100; position += 1) {
      const id = notificationId(time, 'follow', position);
      // A client parses and serializes the number.
      expect(idsBelow(BigInt(JSON.stringify(Number(id))))).toBe(id);
    }
    expect(idsBelow(undefined)).toBeGreaterThan(notificationId(time, 'vote', positionsPerBlock - 1));
    for (const large of [2n ** 63n - 8n, 2n ** 63n - 1n, 2n ** 63n, 10n ** 30n])
      expect(idsBelow(large)).toBe(idsBelow(undefined));
    expect(idsBelow(-(10n ** 30n))).toBe(0n);
  });
});
