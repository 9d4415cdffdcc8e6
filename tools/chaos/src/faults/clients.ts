import { type LibraryClient } from '../clients/library-client';
import { type Fault, type FaultContext, type Injection } from './fault';

/** The shares of clients that are affected. */
const cutShare = 1 / 3;
const cutAgainShare = 1 / 5;
const forgetShare = 1 / 10;

const cutAgainTimes = 8;

/** Faults of clients and their connections. */
export const clientFaults: readonly Fault[] = [
  {
    name: 'cut-sockets',
    injections: (context) =>
      onSockets(() => {
        for (const { proxy } of sample(context, cutShare)) proxy.cut();
      }),
  },
  { name: 'cut-sockets-again', injections: (context) => onSockets(() => cutAgain(context)) },
  {
    // These clients cannot resume and must fetch what they missed.
    name: 'forget-cursors',
    injections: (context) =>
      onSockets(() => {
        for (const client of sample(context, forgetShare)) {
          client.invalidateCursor();
          client.proxy.cut();
        }
      }),
  },
  { name: 'slow-readers', injections: (context) => [{ target: 'readers', run: () => stopReading(context) }] },
];

function onSockets(inject: () => Promise<void> | void): Injection[] {
  return [
    {
      target: 'sockets',
      run: async () => {
        await inject();
      },
    },
  ];
}

function sample({ clients, random }: FaultContext, share: number): LibraryClient[] {
  return random.sample(clients, Math.ceil(clients.length * share));
}

/** Cuts connections repeatedly, also while clients resume. */
async function cutAgain(context: FaultContext): Promise<void> {
  const affected = sample(context, cutAgainShare);
  for (let time = 1; time <= cutAgainTimes; time += 1) {
    for (const { proxy } of affected) if (context.random.chance(1 / 2)) proxy.cut();
    await context.timing.betweenCuts();
  }
}

/**
 * Half of a group stops reading while the others write large messages; in a full run, more than the service can buffer.
 */
async function stopReading({ load, random, timing }: FaultContext): Promise<void> {
  const group = random.pick(load.conversations.filter(({ kind }) => kind === 'group'));
  const slow = random.sample(group.writers, Math.floor(group.writers.length / 2));
  const writers = group.writers.filter((writer) => !slow.includes(writer));
  for (const { proxy } of slow) proxy.pauseReading();
  try {
    await Promise.all([timing.freeze(), load.flood(group, writers, timing.durations.floodMessages)]);
  } finally {
    for (const { proxy } of slow) proxy.restore();
  }
}
