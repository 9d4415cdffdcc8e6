import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Connections } from '../src/realtime/connections';
import { RealtimeMetrics } from '../src/realtime/realtime.metrics';
import { Backfill } from '../src/streams/backfill';
import { Cursor } from '../src/streams/cursor';
import { MissedStore } from '../src/streams/missed.store';
import { type Teller } from '../src/streams/teller';

/** What a teller is made of in a test in which nobody is connected. */
export function tellerParts(cursor = new Cursor(), registry = new Registry()): ConstructorParameters<typeof Teller> {
  const connections = new Connections();
  const backfill = new Backfill(new MissedStore(new Pool()), cursor, createLogger('test', 'silent'));
  return [connections, cursor, new RealtimeMetrics(registry, connections), backfill];
}
