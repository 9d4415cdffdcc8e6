import { HiveClient, type HiveApi } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { ObservedHeads } from './observed-heads';

describe('the observed heads', () => {
  let devnet: Devnet;
  let client: HiveClient;
  beforeEach(async () => {
    devnet = await Devnet.start({ unsigned: true });
    client = new HiveClient({ urls: [devnet.url] });
  });
  afterEach(async () => {
    await client.close();
    await devnet.stop();
  });

  it('are checked in block ranges between consecutive heads, with a keep-alive after each range', async () => {
    const events: unknown[] = [];
    const api: HiveApi = {
      call: (method, params, result) => {
        if (method === 'block_api.get_block_range') events.push(params);
        return client.call(method, params, result);
      },
    };
    const heads = new ObservedHeads(api);
    const { head: first } = await heads.record();
    for (const count of [99, 1, 300, 50]) {
      devnet.produceBlocks(count);
      await heads.record();
    }
    devnet.makeIrreversible();
    const keepAlive = () => Promise.resolve(events.push('alive'));
    expect(await heads.findUndone(keepAlive)).toBeUndefined();
    expect(events).toEqual([
      ...[{ starting_block_num: first, count: 100 }, 'alive'],
      ...[{ starting_block_num: first + 100, count: 1 }, 'alive'],
      ...[{ starting_block_num: first + 400, count: 51 }, 'alive'],
    ]);
  });

  it('reveal a head whose block was undone', async () => {
    devnet.chain.holdIrreversible();
    const heads = new ObservedHeads(client);
    devnet.produceBlocks(3);
    await heads.record();
    const undone = devnet.chain.head.number;
    devnet.chain.undoBlocks(1);
    devnet.delegate('alice', 'bob', '60000.000000 VESTS');
    devnet.produceBlocks(2);
    await heads.record();
    devnet.makeIrreversible();
    expect(await heads.findUndone(() => Promise.resolve())).toBe(undone);
  });
});
