import { sleep } from '@waggle/running/waiting';
import { startStandby } from '@waggle/testing';
import { type Fault, type FaultContext, type Injection } from './fault';

/** Instances check once a second whether replication is synchronous. */
const replicationNoticedMs = 2_500;

/** How far a standby may be behind although it receives. */
const replicationLagMs = 1_000;

/** How far an asynchronous standby is behind when the primary is killed. */
const minLagMs = 1_000;
const maxLagMs = 2_000;

/** Faults of PostgreSQL. */
export const postgresFaults: readonly Fault[] = [
  { name: 'kill-postgres', injections: (context) => onPostgres(() => killAndStart(context)) },
  { name: 'restart-postgres', injections: ({ stack }) => onPostgres(() => stack.postgres.restart()) },
  { name: 'pause-postgres', injections: ({ stack, timing }) => onPostgres(() => timing.pause(stack.postgres)) },
  {
    // The instances do not learn whether the transactions in progress were committed.
    name: 'cut-postgres',
    injections: ({ stack }) =>
      onPostgres(() => {
        stack.postgresProxy.cut();
      }),
  },
  { name: 'failover-sync', injections: (context) => onPostgres(() => failOverSync(context)) },
  { name: 'failover-async', injections: (context) => onPostgres(() => failOverAsync(context)) },
];

function onPostgres(inject: () => Promise<void> | void): Injection[] {
  return [
    {
      target: 'PostgreSQL',
      run: async () => {
        await inject();
      },
    },
  ];
}

/** The server recovers from its write-ahead log. */
async function killAndStart({ stack, timing }: FaultContext): Promise<void> {
  await stack.postgres.kill();
  await timing.downtime();
  await stack.postgres.start();
}

/** Promotes a standby that has everything that was acknowledged. */
async function failOverSync({ stack, timing, signal }: FaultContext): Promise<void> {
  const standby = stack.registerStandby(await startStandby(stack.postgres, { replication: 'synchronous' }));
  await sleep(replicationNoticedMs, signal);
  await stack.postgres.kill();
  await timing.downtime();
  await standby.promote();
  await stack.replacePostgres(standby);
}

/** Promotes a standby that lacks the latest commits, including acknowledged messages. */
async function failOverAsync({ stack, load, timing, random, signal }: FaultContext): Promise<void> {
  const standby = stack.registerStandby(await startStandby(stack.postgres, { replication: 'asynchronous' }));
  const sinceMs = performance.now() - replicationLagMs;
  await standby.stopReceiving();
  await sleep(random.between(minLagMs, maxLagMs), signal);
  await stack.postgres.kill();
  stack.lossPeriods.push({ sinceMs, untilMs: performance.now() });
  await timing.downtime();
  await standby.promote();
  load.restrictTo(await stack.replacePostgres(standby));
}
