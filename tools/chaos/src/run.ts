import { type Running } from '@waggle/running';
import { Random } from '@waggle/testing';
import { check } from './check/check';
import { connectAll, connectRaw } from './clients/connect';
import { type LibraryClient } from './clients/library-client';
import { type RawClient } from './clients/raw-client';
import { beginConversations, type Conversation } from './conversations';
import { faultsNamed } from './faults/all-faults';
import { fullRanges, Pace, quickRanges } from './faults/pace';
import { type FaultRecord, Injector } from './injector';
import { Ledger } from './ledger';
import { Load } from './load';
import { type Observation } from './observation';
import { type ChaosOptions } from './options';
import { type Outcome } from './outcome';
import { recovery } from './recovery';
import { faultLine } from './report';
import { Saboteur } from './sabotage';
import { settle } from './settle';
import { ChaosStack } from './stack';
import { readPlaces, readStored } from './stored';

/** So many accounts have a connection without the library besides. */
const rawClients = 6;

/** Everything that a run goes by, before the first fault. */
interface Scene {
  stack: ChaosStack;
  clients: readonly LibraryClient[];
  raw: readonly RawClient[];
  conversations: Conversation[];
  /** The place of each conversation after which it is watched. */
  watchedAfter: ReadonlyMap<string, number>;
  ledger: Ledger;
  load: Load;
}

/** @param say tells the person at the terminal */
export async function runChaos(running: Running, options: ChaosOptions, say: (line: string) => void): Promise<Outcome> {
  const random = new Random(options.seed);
  say('Starting PostgreSQL, Redis, the devnet and its accounts, and three instances of the chat.');
  const scene = await prepare(running, options, random);
  const { stack, clients, raw, conversations, watchedAfter, ledger, load } = scene;

  say(`${options.clients} clients write ${options.perSecond} messages a second.`);
  load.start();
  const records = await strike(running, options, random, scene, say);

  say('No more faults. Waiting until everything has settled.');
  load.stop();
  const unsettled = await settle({ clients, conversations, ledger, signal: running.signal });
  await Promise.all(raw.map((each) => each.close()));
  const observation: Observation = {
    conversations: await readStored(stack.databaseUrl, watchedAfter),
    sendings: [...ledger.sendings],
    lost: [...stack.lost],
    hearings: [...clients.map(({ hearing }) => hearing), ...raw.flatMap(({ hearings }) => hearings)],
  };
  const failures = [...stack.failures, ...clients.flatMap((client) => client.failures), ...unsettled];
  return { records, ledger, clients, load, observation, violations: check(observation), failures };
}

/** The servers, the clients, and their conversations. */
async function prepare(running: Running, options: ChaosOptions, random: Random): Promise<Scene> {
  const accounts = Array.from({ length: options.clients }, (_, index) => `chaos-${String(index).padStart(4, '0')}`);
  const stack = await ChaosStack.start(running, accounts, options.isRedisCluster);
  const clients = await connectAll(running, stack, accounts);
  const conversations = await beginConversations(clients, random);
  const watchedAfter = await readPlaces(stack.databaseUrl);
  if (options.sabotage !== undefined) clients[0]?.spoil(new Saboteur(options.sabotage, watchedAfter));
  const raw = await Promise.all(
    clients.slice(0, rawClients).map((client, index) => connectRaw(running, stack, client, index)),
  );
  const ledger = new Ledger();
  // Chances of its own: how fast the load goes does not change the faults.
  const loadRandom = new Random(options.seed + 1);
  const load = new Load({ clients, conversations, ledger, perSecond: options.perSecond, random: loadRandom });
  running.keep({
    stop: () => {
      load.stop();
      return Promise.resolve();
    },
  });
  return { stack, clients, raw, conversations, watchedAfter, ledger, load };
}

/** Injects the faults; resolves when all are over. */
async function strike(
  running: Running,
  options: ChaosOptions,
  random: Random,
  { stack, clients, conversations, ledger, load }: Scene,
  say: (line: string) => void,
): Promise<readonly FaultRecord[]> {
  const pace = new Pace(options.isQuick ? quickRanges : fullRanges, random, running.signal);
  const injector = new Injector(
    { stack, clients, conversations, load, pace, random, signal: running.signal },
    () => recovery(ledger, clients, running.signal),
    (record) => {
      say(`  ${faultLine(record)}`);
    },
  );
  // Nothing is started again behind the back of whoever ends everything.
  running.keep({ stop: () => injector.stopped() });
  if (options.each.length > 0) await injector.injectEach(faultsNamed(options.each));
  else await injector.injectFor(options.minutes * 60_000, faultsNamed(options.kinds));
  return injector.records;
}
