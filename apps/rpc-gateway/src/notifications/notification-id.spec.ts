import { firstNotificationId, idsBelow, notificationId, placesPerBlock, typeAndTimeOf } from './notification-id';

describe('ids of notifications', () => {
  const time = new Date('2049-12-31T23:59:57Z');

  it('say time and type', () => {
    expect(typeAndTimeOf(notificationId(time, 'vote', placesPerBlock - 1))).toEqual({ type: 'vote', time });
    expect(typeAndTimeOf(notificationId(time, 'new_community', 0))).toEqual({ type: 'new_community', time });
  });

  it('ascend by time, type and place, as numbers of JavaScript too', () => {
    const ids = [
      notificationId(new Date(time.getTime() - 1_000), 'vote', placesPerBlock - 1),
      firstNotificationId(time),
      notificationId(time, 'follow', 0),
      notificationId(time, 'follow', 1),
      notificationId(time, 'follow', placesPerBlock - 1),
      notificationId(time, 'mention', 0),
    ];
    const numbers = ids.map(Number);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  });

  it('are found again after a number has lost its last bits', () => {
    for (let place = 0; place < 100; place += 1) {
      const id = notificationId(time, 'follow', place);
      // As a client writes the number that it has read.
      expect(idsBelow(BigInt(JSON.stringify(Number(id))))).toBe(id);
    }
    expect(idsBelow(undefined)).toBeGreaterThan(notificationId(time, 'vote', placesPerBlock - 1));
    expect(idsBelow(10n ** 30n)).toBe(idsBelow(undefined));
    expect(idsBelow(-(10n ** 30n))).toBe(0n);
  });
});
