import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Backfill } from '../src/delivery/backfill';
import { Bus } from '../src/delivery/bus';
import { CatchUp } from '../src/delivery/catch-up';
import { type Cursor } from '../src/delivery/cursor';
import { Delivery } from '../src/delivery/delivery';
import { type FanOut } from '../src/delivery/fan-out';
import { ReplyWriter } from '../src/delivery/late-replies';
import { Peers } from '../src/delivery/peers';
import { type LogStore } from '../src/log/log.store';
import { MissedStore } from '../src/log/missed.store';
import { Connections } from '../src/realtime/connections';
import { RealtimeMetrics } from '../src/realtime/realtime.metrics';

/** A bus that receives notifications from the test on subscribed topics. */
export class TestBus extends Bus {
  private readonly topics = new Set<string>();

  receive(topic: string, text: string) {
    if (this.topics.has(topic)) this.emit('message', topic, text);
  }

  subscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.add(topic);
  }

  unsubscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.delete(topic);
  }

  publish() {
    // What others receive is not checked here.
  }

  close() {
    return Promise.resolve();
  }
}

/** Returns what a `FanOut` needs in a test without connections. */
export function fanOutParts(cursor: Cursor): ConstructorParameters<typeof FanOut> {
  const connections = new Connections();
  const backfill = new Backfill(new MissedStore(new Pool()), cursor, createLogger('test', 'silent'));
  return [connections, cursor, new RealtimeMetrics(new Registry(), connections), backfill];
}

/** Returns what a `ReplyWriter` needs in a test without connections. */
export function replyWriterParts(cursor: Cursor): ConstructorParameters<typeof ReplyWriter> {
  const [connections, , , backfill] = fanOutParts(cursor);
  return [connections, cursor, backfill];
}

interface Parts<Store, Out> {
  store: Store;
  fanOut: Out;
  cursor: Cursor;
  bus?: Bus;
  replyWriter?: ReplyWriter;
}

/** Returns the delivery of an instance over parts of the test. */
export function deliveryOf<Store extends LogStore, Out extends FanOut>({
  store,
  fanOut,
  cursor,
  bus,
  replyWriter = new ReplyWriter(...replyWriterParts(cursor)),
}: Parts<Store, Out>) {
  const logger = createLogger('test', 'silent');
  const delivery = new Delivery(store, fanOut, new Peers(bus, cursor), replyWriter, logger);
  const catchUp = new CatchUp(delivery, store, cursor, logger);
  return { store, fanOut, delivery, cursor, catchUp };
}
