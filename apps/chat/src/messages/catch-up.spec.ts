import { createLogger, Registry } from '@waggle/service';
import { until } from '@waggle/testing';
import { Pool } from 'pg';
import { tellerParts } from '../../test/teller-parts';
import { NoBus } from '../streams/bus';
import { Cursor } from '../streams/cursor';
import { type ChatEvent, type Entry } from '../streams/entry';
import { Streams } from '../streams/streams';
import { StreamsMetrics } from '../streams/streams.metrics';
import { commitsKeptMs, StreamsStore, type Hearing } from '../streams/streams.store';
import { Teller } from '../streams/teller';
import { CatchUp } from './catch-up';
import { OwnCommits } from './own-commits';

class ToldTeller extends Teller {
  readonly told: string[] = [];

  override tell({ payload }: ChatEvent) {
    if ('content' in payload) this.told.push(payload.content);
    return false;
  }
}

/** A database that has what is `kept`, and whose answers come when the test says so. */
class HeldStore extends StreamsStore {
  readonly held: (() => void)[] = [];

  override findHearings([account = '']: readonly string[]): Promise<Hearing[]> {
    const streams = ['lost', 'missing', 'gone', 'kept'];
    return Promise.resolve(streams.map((stream) => ({ account, stream, lastSeq: 0, joinedSeq: 0 })));
  }

  override async findEntries(wanted: readonly { stream: string; after: number }[]) {
    await new Promise<void>((resolve) => this.held.push(resolve));
    const kept = wanted.find(({ stream }) => stream === 'kept');
    return [1, 2].filter((seq) => seq > (kept?.after ?? 2)).map((seq) => message('kept', seq));
  }
}

const message = (stream: string, seq: number): Entry => ({
  stream,
  seq,
  message: { id: `m${seq}`, sender: 'zoe', recipient: 'all', content: `${stream} ${seq}`, sentAt: '' },
});

describe('CatchUp', () => {
  let teller: ToldTeller;
  let store: HeldStore;
  let streams: Streams;
  let catchUp: CatchUp;
  beforeEach(async () => {
    const [registry, cursor] = [new Registry(), new Cursor()];
    const logger = createLogger('test', 'silent');
    teller = new ToldTeller(...tellerParts(cursor, registry));
    store = new HeldStore(new Pool());
    streams = new Streams(store, teller, new NoBus(), logger);
    catchUp = new CatchUp(streams, store, new OwnCommits(), cursor, new StreamsMetrics(registry, streams), logger);
    await streams.enter('carol');
  });
  afterEach(() => {
    jest.useRealTimers();
    catchUp.onModuleDestroy();
  });

  it('reads a gap that appears while another reading finds nothing', async () => {
    streams.add(message('lost', 2));
    await until(() => store.held.length === 1);
    streams.add(message('kept', 2));
    store.held[0]?.();
    await until(() => store.held.length === 2);
    store.held[1]?.();
    await until(() => store.held.length === 3);
    expect(teller.told).toEqual(['kept 1', 'kept 2']);
    store.held[2]?.();
  });

  it('reads once what appears while a slow database answers, however often that is', async () => {
    jest.useFakeTimers();
    for (const stream of ['lost', 'missing', 'gone']) {
      streams.add(message(stream, 2));
      await jest.advanceTimersByTimeAsync(100);
    }
    for (const answer of store.held) {
      answer();
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(store.held).toHaveLength(2);
  });

  it('reads nothing once the instance ends: its connections to the database are being closed', async () => {
    jest.useFakeTimers();
    catchUp.onModuleDestroy();
    streams.add(message('lost', 2));
    await jest.advanceTimersByTimeAsync(100);
    expect(store.held).toEqual([]);
  });
});

/** A database that has noted nothing of what was committed: alice was taken out of a conversation, and follows a channel no more. */
class LaterStore extends StreamsStore {
  isLater = false;
  readonly now = new Date(Date.now() + commitsKeptMs);

  override findCompleteUntil() {
    return Promise.resolve(this.now);
  }

  override findHearings([account = '']: readonly string[]): Promise<Hearing[]> {
    const streams = this.isLater ? [] : ['conversation', 'channel'];
    return Promise.resolve(streams.map((stream) => ({ account, stream, lastSeq: 0, joinedSeq: 0 })));
  }

  override findHearingsOf(pairs: readonly { account: string; stream: string }[]) {
    return Promise.resolve(
      pairs.map((pair) => ({
        ...pair,
        lastSeq: pair.stream === 'channel' ? 0 : 2,
        joinedSeq: 0,
        hears: false,
        leftSeq: pair.stream === 'conversation' ? 2 : 0,
      })),
    );
  }

  override findEntries(wanted: readonly { stream: string; after: number }[]): Promise<Entry[]> {
    const out: Entry = { stream: 'conversation', seq: 2, told: [], joins: [], leaves: ['alice'] };
    const entries = [message('conversation', 1), out];
    return Promise.resolve(
      wanted.flatMap(({ stream, after }) => entries.filter((entry) => entry.stream === stream && entry.seq > after)),
    );
  }
}

describe('CatchUp, after longer than is noted what was committed', () => {
  it('tells who was removed what came before, and finds who follows a channel no more', async () => {
    const [registry, cursor] = [new Registry(), new Cursor()];
    const logger = createLogger('test', 'silent');
    const teller = new ToldTeller(...tellerParts(cursor, registry));
    const store = new LaterStore(new Pool());
    const streams = new Streams(store, teller, new NoBus(), logger);
    const catchUp = new CatchUp(
      streams,
      store,
      new OwnCommits(),
      cursor,
      new StreamsMetrics(registry, streams),
      logger,
    );
    await streams.enter('alice');
    expect([...streams.hearersOf('channel')]).toEqual(['alice']);
    store.isLater = true;
    catchUp.onApplicationBootstrap();
    await until(() => cursor.reached.getTime() === store.now.getTime());
    catchUp.onModuleDestroy();
    expect(teller.told).toEqual(['conversation 1']);
    expect([...streams.hearersOf('conversation'), ...streams.hearersOf('channel')]).toEqual([]);
  });
});
