import { type FrameReference } from '@waggle/contracts';
import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Backfill } from '../src/delivery/backfill';
import { Bus } from '../src/delivery/bus';
import { CatchUp } from '../src/delivery/catch-up';
import { type Cursor } from '../src/delivery/cursor';
import { Delivery } from '../src/delivery/delivery';
import { type FanOut } from '../src/delivery/fan-out';
import { Peers } from '../src/delivery/peers';
import { type LogStore } from '../src/log/log.store';
import { MissedStore } from '../src/log/missed.store';
import { type Connection } from '../src/realtime/connection';
import { Connections } from '../src/realtime/connections';
import { FrameLimits } from '../src/realtime/frame-limits';
import { FrameRequest } from '../src/realtime/frame-request';
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

interface Parts<Store, Out> {
  store: Store;
  fanOut: Out;
  cursor: Cursor;
  bus?: Bus;
}

/** Returns the delivery of an instance over parts of the test. */
export function deliveryOf<Store extends LogStore, Out extends FanOut>({
  store,
  fanOut,
  cursor,
  bus,
}: Parts<Store, Out>) {
  const logger = createLogger('test', 'silent');
  const delivery = new Delivery(store, fanOut, new Peers(bus, cursor), logger);
  const catchUp = new CatchUp(delivery, store, cursor, logger);
  return { store, fanOut, delivery, cursor, catchUp };
}
