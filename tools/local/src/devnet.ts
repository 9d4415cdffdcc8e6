import {
  blogContentBlocks,
  Devnet,
  devnetKeys,
  includeBlogContent,
  includeReply,
  includeSampleContent,
  RecordedChain,
  Replay,
  recentGenesisTime,
  seedAccounts,
  sampleContentBlocks,
} from '@waggle/devnet';
import { exitOnError } from '@waggle/running';
import { type DevnetArguments, readArguments } from './devnet-arguments';
import { devnetPort, portOf, portTaken } from './ports';

/** One block every three seconds, as on Hive. */
const blockIntervalMs = 3000;

/** How often an account replies to alice, so that she gets notifications. */
const replyIntervalMs = 15_000;

/** Delegations between the accounts, in order and `blocksBetween` blocks apart: a history to show. */
const delegations = [
  ['alice', 'bob', '90000.000000 VESTS'],
  ['bob', 'dave', '5000.000000 VESTS'],
  ['carol', 'bob', '12345.678901 VESTS'],
  ['alice', 'bob', '250000.000000 VESTS'],
  ['bob', 'erin', '40000.000000 VESTS'],
  ['alice', 'bob', '150000.000000 VESTS'],
  ['dave', 'bob', '60000.000000 VESTS'],
] as const;
const blocksBetween = 100;

/** How many blocks of a recorded chain are produced after the start. */
const replayedBlocks = 100;

async function main(): Promise<void> {
  const { nodes, recorded } = readArguments(process.argv.slice(2));
  await (recorded === undefined ? runNewChain(nodes) : runRecorded(nodes, recorded));
}

async function runNewChain(nodes: DevnetArguments['nodes']): Promise<void> {
  const genesisTime = recentGenesisTime(
    1,
    sampleContentBlocks + blogContentBlocks + delegations.length * blocksBetween,
  );
  const devnet = await onDevnetPort((address) =>
    Devnet.start({ ...address, nodes, blockIntervalMs, genesisTime, nodeKind: 'public' }),
  );
  includeSampleContent(devnet.chain);
  includeBlogContent(devnet.chain);
  for (const [delegator, delegatee, amount] of delegations) {
    const value = { delegator, delegatee, vesting_shares: amount };
    devnet.chain.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
    devnet.chain.produceBlocks(blocksBetween);
  }
  let replies = 0;
  const replyTimer = setInterval(() => {
    replies += 1;
    includeReply(devnet.chain, replies);
  }, replyIntervalMs);
  onStop(() => {
    clearInterval(replyTimer);
    void devnet.stop();
  });
  console.log(describe(devnet));
}

async function runRecorded(
  nodes: DevnetArguments['nodes'],
  { folder, chain, head }: NonNullable<DevnetArguments['recorded']>,
): Promise<void> {
  const recorded = RecordedChain.read(folder, chain);
  const { first, last } = recorded;
  const start = head ?? Math.max(first.number, last.number - replayedBlocks);
  const replay = await onDevnetPort((address) =>
    Replay.start(recorded, { ...address, nodes, head: start, blockIntervalMs }),
  );
  onStop(() => void replay.stop());
  console.log(
    `The blocks ${first.number} to ${last.number}, with ${start} as the head, are at ${replay.urls.join(', ')}`,
  );
}

function onStop(stop: () => void): void {
  const end = (): void => {
    // With this listener, the connection to `run.mjs` would keep the process running.
    process.off('disconnect', end);
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  // This process ends with `run.mjs`, which started it.
  process.once('disconnect', end);
}

async function onDevnetPort<Started>(
  start: (address: { host: string; port: number }) => Promise<Started>,
): Promise<Started> {
  const host = process.env['HOST'] ?? '127.0.0.1';
  const port = portOf(devnetPort, process.env);
  try {
    return await start({ host, port });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? await portTaken(devnetPort, port, 'npm run devnet', process.env) : error;
  }
}

function describe({ urls }: Devnet): string {
  const accounts = seedAccounts.map((name) => `  ${name.padEnd(6)} ${devnetKeys(name).posting.wif}`);
  return [`The devnet is a Hive API node at ${urls.join(', ')}`, 'Accounts and their posting keys:', ...accounts].join(
    '\n',
  );
}

exitOnError(main());
