import { cutPostgres } from './cut-postgres';
import { cutRedis } from './cut-redis';
import { cutSockets } from './cut-sockets';
import { cutSocketsAgain } from './cut-sockets-again';
import { drainInstance } from './drain-instance';
import { failoverAsync } from './failover-async';
import { failoverSync } from './failover-sync';
import { type Fault } from './fault';
import { forgetCursors } from './forget-cursors';
import { killInstance } from './kill-instance';
import { killPostgres } from './kill-postgres';
import { killRedis } from './kill-redis';
import { pauseInstance } from './pause-instance';
import { pausePostgres } from './pause-postgres';
import { pauseRedis } from './pause-redis';
import { restartPostgres } from './restart-postgres';
import { slowReaders } from './slow-readers';

const faults: readonly Fault[] = [
  killInstance,
  drainInstance,
  pauseInstance,
  killRedis,
  pauseRedis,
  cutRedis,
  killPostgres,
  restartPostgres,
  pausePostgres,
  cutPostgres,
  failoverSync,
  failoverAsync,
  cutSockets,
  cutSocketsAgain,
  forgetCursors,
  slowReaders,
];

/** The names of all kinds of fault. */
export const faultNames: readonly string[] = faults.map(({ name }) => name);

/** In the order of the names. */
export function faultsNamed(names: readonly string[]): Fault[] {
  return names.flatMap((name) => faults.filter((fault) => fault.name === name));
}
