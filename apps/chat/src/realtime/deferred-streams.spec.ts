import { DeferredStreams } from './deferred-streams';
import { ServerFrame } from './server-frame';

const acknowledged = new ServerFrame('acknowledged', { conversation_id: 'c' });
const rangesIn = (deferred: DeferredStreams) => deferred.next(100).map(({ from, to }) => ({ from, to }));

describe('DeferredStreams', () => {
  it('starts a new range for what is deferred after the account has left, and has no room for more than 1,000', () => {
    const deferred = new DeferredStreams('', false);
    for (let seq = 1; seq < 3_000; seq += 3) {
      expect(deferred.add('c', seq, undefined, false)).toBe(true);
      expect(deferred.add('c', seq + 1, undefined, true)).toBe(true);
    }
    expect(rangesIn(deferred)).toEqual([{ from: 1, to: 2 }]);
    expect(deferred.add('c', 3_001, undefined, false)).toBe(false);
    const range = { stream: 'd', from: 1, to: 2, hasLeft: true };
    for (let n = 0; n < 1_000; n += 1) expect(deferred.addRange(range, new Map())).toBe(true);
    expect(deferred.addRange(range, new Map())).toBe(false);
  });

  it('delivers an entry once that is missed and also arrives while missed entries are read', () => {
    const deferred = new DeferredStreams('', true);
    deferred.addMissed({ stream: 'c', from: 1, to: 10, hasLeft: false });
    for (const seq of [9, 10]) deferred.add('c', seq, undefined, false);
    deferred.noteDelivered('c', 10);
    const live = new DeferredStreams('', false, deferred);
    expect(rangesIn(live)).toEqual([]);
    live.add('c', 11, undefined, false);
    expect(rangesIn(live)).toEqual([{ from: 11, to: 11 }]);
  });

  it('delivers the missed ranges of a stream in order, before later entries, for which it has room in any case', () => {
    const deferred = new DeferredStreams('', true);
    expect(deferred.add('c', 6_001, undefined, false)).toBe(true);
    for (let n = 1_500; n > 0; n -= 1) deferred.addMissed({ stream: 'c', from: 4 * n, to: 4 * n + 1, hasLeft: true });
    expect(deferred.add('c', 6_002, undefined, false)).toBe(true);
    const ranges: unknown[] = [];
    for (let [next] = deferred.next(100); next !== undefined; [next] = deferred.next(100)) {
      ranges.push([next.from, next.to]);
      deferred.noteDelivered('c', next.to);
    }
    expect(ranges).toEqual(Array.from({ length: 1_500 }, (_, n) => [4 * n + 4, n < 1_499 ? 4 * n + 5 : 6_000]));
    expect(rangesIn(new DeferredStreams('', false, deferred))).toEqual([{ from: 6_001, to: 6_002 }]);
  });

  it('defers nothing that is delivered already, after entries within a range were repeated as replies', () => {
    const deferred = new DeferredStreams('', false);
    deferred.addRange({ stream: 'c', from: 1, to: 1_000, hasLeft: false }, new Map());
    for (const seq of [1_000, 50]) deferred.add('c', seq, undefined, true);
    deferred.noteDelivered('c', 100);
    expect([60, 101].map((seq) => deferred.defersEntry({ stream: 'c', seq }))).toEqual([false, true]);
  });

  it('keeps an acknowledgment that arrives while earlier ones are read', () => {
    const deferred = new DeferredStreams('', true);
    deferred.add('c', 5, undefined, false);
    deferred.addNotice({ stream: 'c', frame: acknowledged, kind: 'acknowledged' });
    deferred.addMissedNotice('c', acknowledged, 'acknowledged', 2);
    deferred.addMissed({ stream: 'c', from: 1, to: 4, hasLeft: false });
    expect(deferred.removeNoticesBefore({ stream: 'c', seq: 5 })).toEqual([]);
    expect(deferred.removeNoticesBefore({ stream: 'c', seq: 6 })).toMatchObject([{ frame: acknowledged }]);
  });

  it('delivers a missed acknowledgment after the messages that it covers', () => {
    const deferred = new DeferredStreams('', true);
    deferred.addMissedNotice('c', acknowledged, 'acknowledged', 2);
    deferred.addMissed({ stream: 'c', from: 1, to: 4, hasLeft: false });
    expect(deferred.removeNoticesBefore({ stream: 'c', seq: 2 })).toEqual([]);
    expect(deferred.removeNoticesBefore({ stream: 'c', seq: 3 })).toMatchObject([{ frame: acknowledged }]);
  });

  it('delivers a reply behind the given entry, and before later ones', () => {
    const deferred = new DeferredStreams('', false);
    deferred.addRange({ stream: 'c', from: 5, to: 9, hasLeft: false }, new Map());
    expect([deferred.firstOf('c'), deferred.firstOf('d')]).toEqual([5, undefined]);
    deferred.addNotice({ stream: 'c', frame: acknowledged, ref: 'covers 4', after: 4 });
    deferred.addNotice({ stream: 'c', frame: acknowledged, ref: 'covers 9' });
    expect(deferred.removeNoticesBefore({ stream: 'c', seq: 5 })).toMatchObject([{ ref: 'covers 4' }]);
    expect(deferred.removeNoticesBefore({ stream: 'c', seq: 9 })).toEqual([]);
    deferred.noteDelivered('c', 9);
    expect(deferred.removeDueNotices()).toMatchObject([{ ref: 'covers 9' }]);
  });
});
