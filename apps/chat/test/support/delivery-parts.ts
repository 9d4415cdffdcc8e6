import { type FrameReference } from '@waggle/contracts';
import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Bus } from '../../src/delivery/bus/bus';
import { CatchUp } from '../../src/delivery/catch-up';
import { CommitPoll } from '../../src/delivery/commit-poll';
import { Cursor } from '../../src/delivery/cursor';
import { Delivery } from '../../src/delivery/delivery';
import { type FanOut } from '../../src/delivery/fan-out';
import { Peers } from '../../src/delivery/peers';
import { PendingReplies } from '../../src/delivery/pending-replies';
import { RequestReplies } from '../../src/delivery/request-replies';
import { Resumption } from '../../src/delivery/resumption';
import { OpenStreams } from '../../src/delivery/open-streams';
import { AdoptedTimeline } from '../../src/log/adopted-timeline';
import { type LogStore } from '../../src/log/log.store';
import { CatchUpStore } from '../../src/log/catch-up.store';
import { TimelineStore } from '../../src/log/timeline.store';
import { type Connection } from '../../src/realtime/connection';
import { Connections } from '../../src/realtime/connections';
import { FrameLimits } from '../../src/realtime/frame-limits';
import { FrameRequest } from '../../src/realtime/frame-request';
import { RealtimeMetrics } from '../../src/realtime/realtime.metrics';

/** A bus that receives messages from the test on subscribed topics. */
export class TestBus extends Bus {
  private readonly topics = new Set<string>();

  /** @param other the bus of another instance, which receives what this one publishes */
  constructor(private readonly other?: TestBus) {
    super();
  }

  receive(topic: string, text: string) {
    if (this.topics.has(topic)) this.emit('message', topic, text);
  }

  subscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.add(topic);
  }

  unsubscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.delete(topic);
  }

  publish(topic: string, text: string) {
    this.other?.receive(topic, text);
  }

  close() {
    return Promise.resolve();
  }
}

/** Returns a request of a connection whose account has no limits. */
export function requestOn(
  connection: Connection,
  type: string | undefined,
  ref: FrameReference | undefined,
): FrameRequest {
  const limits = new FrameLimits({ perSecond: 1e9, burst: 1e9 });
  const background = { runInBackground: () => undefined, backgroundWorkDone: () => Promise.resolve() };
  return new FrameRequest(connection, type, ref, limits, background);
}

interface Parts<Out extends FanOut> {
  catchUpStore?: CatchUpStore;
  bus?: Bus;
  fanOutClass: new (...parts: ConstructorParameters<typeof FanOut>) => Out;
}

/** Returns the delivery of an instance over parts of the test. */
export function deliveryOf<Out extends FanOut>(
  log: LogStore,
  { catchUpStore = new CatchUpStore(new Pool()), bus, fanOutClass: FanOutClass }: Parts<Out>,
) {
  const logger = createLogger('test', 'silent');
  const cursor = new Cursor();
  const connections = new Connections();
  const pending = new PendingReplies();
  const peers = new Peers(bus, cursor);
  const streams = new OpenStreams(peers, log);
  const catchUp = new CatchUp(log, catchUpStore, streams, pending, cursor, logger);
  const metrics = new RealtimeMetrics(new Registry(), connections);
  const fanOut = new FanOutClass(connections, catchUp, pending, cursor, metrics);
  const replies = new RequestReplies(pending, streams, catchUp, fanOut, logger);
  const delivery = new Delivery(log, streams, fanOut, catchUp, replies, peers, logger);
  const commitPoll = new CommitPoll(streams, log, cursor, logger);
  const resumption = new Resumption(
    catchUpStore,
    catchUp,
    streams,
    cursor,
    new OnlyTimeline(new Pool(), new AdoptedTimeline()),
  );
  return { cursor, connections, pending, streams, catchUp, fanOut, delivery, commitPoll, resumption };
}

/** A database that no other takes over from. */
class OnlyTimeline extends TimelineStore {
  override read() {
    return Promise.resolve({ id: '', isSynchronous: false });
  }
}
