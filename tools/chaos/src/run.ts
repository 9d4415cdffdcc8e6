import { type Running } from '@waggle/running';
import { Random } from '@waggle/testing';
import { check } from './check/check';
import { connectAll, connectRaw } from './clients/connect';
import { type LibraryClient } from './clients/library-client';
import { type RawClient } from './clients/raw-client';
import { beginConversations } from './conversations';
import { ChangeLoad } from './devices/change-load';
import { ChangeLog } from './devices/change-log';
import { Device } from './devices/device';
import { faultsNamed } from './faults/all-faults';
import { fullDurations, Timing, quickDurations } from './faults/timing';
import { type FaultRecord, Injector } from './injector';
import { SendLog } from './send-log';
import { Load } from './load';
import { type Observation, type Values } from './observation';
import { type ChaosOptions } from './options';
import { measureRecovery } from './recovery';
import { faultLine } from './report';
import { settle, settleDevice } from './settle';
import { ChaosStack } from './stack';
import { readLastSeqs, readStored, readValues } from './stored';
import { type Outcome } from './summary';

const instanceCounts = { quick: 2, full: 3 };

/** The number of accounts with a second device, which makes changes. */
const maxDevices = 24;

/** Changes per message. */
const changeShare = 1 / 4;

/** The number of accounts that also have a connection without the library. */
const rawClientCount = 6;

interface Setup {
  stack: ChaosStack;
  clients: readonly LibraryClient[];
  raw: readonly RawClient[];
  /** See `StoredConversation.startSeq`. */
  startSeqs: ReadonlyMap<string, number>;
  sendLog: SendLog;
  load: Load;
  devices: readonly Device[];
  changeLog: ChangeLog;
  changeLoad: ChangeLoad;
  initialValues: Values;
}

/** Runs the test. @param print prints a line of progress */
export async function runChaos(
  running: Running,
  options: ChaosOptions,
  print: (line: string) => void,
): Promise<Outcome> {
  const random = new Random(options.seed);
  print('Starting PostgreSQL, Redis, the devnet and its accounts, and the instances of the chat.');
  const setup = await prepare(running, options, random);
  const { stack, clients, raw, startSeqs, sendLog, load, devices, changeLog, changeLoad } = setup;

  print(`${options.clients} clients write ${options.perSecond} messages per second.`);
  load.start();
  changeLoad.start();
  const records = await injectFaults(running, options, random, setup, print);

  print('No more faults. Waiting for all clients and messages.');
  load.stop();
  await changeLoad.stop();
  const unsettled = await settle({ clients, conversations: load.conversations, sendLog, signal: running.signal });
  const deviceStates = await Promise.all(devices.map((device) => settleDevice(device, running.signal)));
  await Promise.all(raw.map((each) => each.close()));
  const observation: Observation = {
    conversations: await readStored(stack.directDatabaseUrl, startSeqs),
    sentMessages: [...sendLog.sentMessages],
    lost: [...stack.lost],
    changes: changeLog.changes,
    lossPeriods: stack.lossPeriods,
    initialValues: setup.initialValues,
    values: await readValues(stack.directDatabaseUrl),
    devices: deviceStates,
    receivers: [...clients.map(({ receiver }) => receiver), ...raw.flatMap(({ receivers }) => receivers)],
  };
  const failures = [
    ...stack.failures,
    ...load.failures,
    ...[...clients, ...devices].flatMap((each) => each.failures),
    ...unsettled,
  ];
  return { records, sendLog, clients, load, observation, violations: check(observation), failures };
}

/** Starts the servers, connects the clients and creates their conversations. */
async function prepare(running: Running, options: ChaosOptions, random: Random): Promise<Setup> {
  const accounts = Array.from({ length: options.clients }, (_, index) => `chaos-${String(index).padStart(4, '0')}`);
  const instanceCount = options.isQuick ? instanceCounts.quick : instanceCounts.full;
  const stack = await ChaosStack.start(running, { accounts, instanceCount, isRedisCluster: options.isRedisCluster });
  const clients = await connectAll(running, stack, accounts);
  const conversations = await beginConversations(clients, random);
  const startSeqs = await readLastSeqs(stack.directDatabaseUrl);
  const raw = await Promise.all(
    clients.slice(0, rawClientCount).map((client, index) => connectRaw(running, stack, client, index)),
  );
  const withDevice = clients.slice(0, Math.min(maxDevices, clients.length / 2));
  const devices = await Promise.all(withDevice.map(async (client) => running.use(await Device.connect(client))));
  const initialValues = await readValues(stack.directDatabaseUrl);
  const sendLog = new SendLog();
  // A generator of its own, so that the speed of the load does not change the faults.
  const loadRandom = new Random(options.seed + 1);
  const load = new Load({ clients, conversations, sendLog, perSecond: options.perSecond, random: loadRandom });
  const changeLog = new ChangeLog();
  const changeLoad = new ChangeLoad({
    ...{ devices, log: changeLog, perSecond: options.perSecond * changeShare },
    random: new Random(options.seed + 2),
  });
  running.use({
    stop: () => {
      load.stop();
      void changeLoad.stop();
    },
  });
  return {
    ...{ stack, clients, raw, startSeqs, sendLog, load, devices, changeLog, changeLoad, initialValues },
  };
}

/** Injects the faults; resolves when all are over. */
async function injectFaults(
  running: Running,
  options: ChaosOptions,
  random: Random,
  { stack, clients, sendLog, load }: Setup,
  print: (line: string) => void,
): Promise<readonly FaultRecord[]> {
  const timing = new Timing(options.isQuick ? quickDurations : fullDurations, random, running.signal);
  const injector = new Injector(
    { stack, clients, load, timing, random, signal: running.signal },
    () => measureRecovery(sendLog, clients, running.signal),
    (record) => {
      print(`  ${faultLine(record)}`);
    },
  );
  // Otherwise a fault could start a process again after the run stopped it.
  running.use({ stop: () => injector.stopped() });
  if (options.each.length > 0) await injector.injectEach(faultsNamed(options.each));
  else await injector.injectFor(options.minutes * 60_000, faultsNamed(options.kinds));
  return injector.records;
}
