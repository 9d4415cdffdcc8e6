import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Backfill } from '../src/delivery/backfill';
import { Cursor } from '../src/delivery/cursor';
import { type FanOut } from '../src/delivery/fan-out';
import { MissedStore } from '../src/log/missed.store';
import { Connections } from '../src/realtime/connections';
import { RealtimeMetrics } from '../src/realtime/realtime.metrics';

/** Returns what a `FanOut` needs in a test without connections. */
export function fanOutParts(cursor = new Cursor(), registry = new Registry()): ConstructorParameters<typeof FanOut> {
  const connections = new Connections();
  const backfill = new Backfill(new MissedStore(new Pool()), cursor, createLogger('test', 'silent'));
  return [connections, cursor, new RealtimeMetrics(registry, connections), backfill];
}
