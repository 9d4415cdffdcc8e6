import { DeferredStreams } from './deferred-streams';
import { ServerFrame } from './frames';

const acknowledged = new ServerFrame('acknowledged', { conversation_id: 'c' });

describe('DeferredStreams', () => {
  it('keeps an acknowledgment that arrives while earlier ones are read', () => {
    const deferred = new DeferredStreams('', true);
    deferred.add('c', 5, undefined, false);
    deferred.addNotice('c', acknowledged, 'acknowledged');
    deferred.addMissedNotice('c', acknowledged, 'acknowledged', 2);
    deferred.addMissed({ stream: 'c', from: 1, to: 4, hasLeft: false });
    expect(deferred.takeNoticesBefore({ stream: 'c', seq: 5 })).toEqual([]);
    expect(deferred.takeNoticesBefore({ stream: 'c', seq: 6 })).toEqual([acknowledged]);
  });

  it('delivers a missed acknowledgment behind the messages that were read', () => {
    const deferred = new DeferredStreams('', true);
    deferred.addMissedNotice('c', acknowledged, 'acknowledged', 2);
    deferred.addMissed({ stream: 'c', from: 1, to: 4, hasLeft: false });
    expect(deferred.takeNoticesBefore({ stream: 'c', seq: 2 })).toEqual([]);
    expect(deferred.takeNoticesBefore({ stream: 'c', seq: 3 })).toEqual([acknowledged]);
  });
});
