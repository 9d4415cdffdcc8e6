import { ChannelWatchers } from './channel-watchers';

describe('ChannelWatchers', () => {
  let watchers: ChannelWatchers;
  beforeEach(() => {
    watchers = new ChannelWatchers();
  });
  const of = (channel: string) => [...watchers.of(channel)];

  it('forget of an account the channel that it asked for longest ago, beyond fifty', () => {
    for (let i = 0; i < 50; i += 1) watchers.watch('alice', `channel-${i}`);
    watchers.watch('alice', 'channel-0');
    watchers.watch('alice', 'one more');
    expect([of('channel-0'), of('channel-1'), of('channel-2'), of('one more')]).toEqual([
      ['alice'],
      [],
      ['alice'],
      ['alice'],
    ]);
  });

  it('read again what an account asked for while it stopped following', async () => {
    const answers = [['channel'], []];
    let reads = 0;
    const found = await watchers.watchWhatIsFound('alice', () => {
      reads += 1;
      if (reads === 1) watchers.unwatch('alice', 'channel');
      return Promise.resolve({ found: reads, watchable: answers[reads - 1] ?? [] });
    });
    expect([found, of('channel')]).toEqual([2, []]);
  });

  it('do not read again because another account stopped following', async () => {
    const found = await watchers.watchWhatIsFound('alice', () => {
      watchers.unwatch('bob', 'channel');
      return Promise.resolve({ found: 'it', watchable: ['channel'] });
    });
    expect([found, of('channel')]).toEqual(['it', ['alice']]);
  });
});
