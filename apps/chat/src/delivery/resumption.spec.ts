import { setImmediate as turn } from 'node:timers/promises';
import { Pool } from 'pg';
import { LogStore } from '../log/log.store';
import { CatchUpStore } from '../log/catch-up.store';
import { deliveryOf, requestOn } from '../../test/support/delivery-parts';
import { SlowPeer } from '../../test/support/slow-peer';
import { FanOut } from './fan-out';

const receipts = Array.from({ length: 1_200 }, (_, n) => ({
  conversation_id: `dm-${n + 1_000}`,
  username: 'bob',
  seq: 1,
}));

/** A database with nothing but receipts since the cursor. */
class ReceiptsStore extends CatchUpStore {
  override findAcknowledged() {
    return Promise.resolve([]);
  }

  override findSince() {
    return Promise.resolve({ ranges: [], entries: 0 });
  }

  override findReceipts(_account: string, _since: Date, { after, limit }: { after: string; limit: number }) {
    return Promise.resolve(receipts.filter(({ conversation_id: id }) => id > after).slice(0, limit));
  }
}

it('Resumption delivers receipts page by page, to a client that reads them and an account that can afford them', async () => {
  const catchUpStore = new ReceiptsStore(new Pool());
  const { cursor, resumption } = deliveryOf(new LogStore(new Pool()), { catchUpStore, fanOutClass: FanOut });
  cursor.advance(new Date(), '');
  const peer = new SlowPeer(1e6);
  peer.connection.grant(['sync', 'receipts']);
  peer.connection.authenticate({ account: 'alice', sessionId: 's', untilMs: Infinity });
  let charged = 0;
  const request = requestOn(peer.connection, 'authenticate', undefined);
  jest.spyOn(request, 'chargeAfterwards').mockImplementation((price) => (charged += price));
  const read = async () => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
    peer.read();
    return peer.frames().length;
  };

  const resumed = resumption.resume(request, 'alice', cursor.value);
  const counts: number[] = [];
  for (let reads = 0; reads < 10; reads += 1) counts.push(await read());
  await resumed;
  expect([...new Set(counts)]).toEqual([0, 500, 1_000, 1_201]);
  expect(
    peer
      .frames()
      .slice(0, -1)
      .map(({ payload }) => payload),
  ).toEqual(receipts);
  const bytes = 500 * JSON.stringify({ type: 'messages-read', payload: receipts[0] }).length;
  expect(charged).toBeGreaterThanOrEqual(3 + Math.floor((2.4 * bytes) / 8_192) - 2);
  peer.end();
});
