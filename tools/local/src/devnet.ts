import {
  Devnet,
  devnetKeys,
  includeReply,
  includeSampleContent,
  recentGenesisTime,
  seedAccounts,
  sampleContentBlocks,
} from '@waggle/devnet';
import { exitOnError } from '@waggle/running';
import { devnetPort, portOf, portTaken } from './ports';

/** One block every three seconds, as on Hive. */
const blockIntervalMs = 3000;

/** How often an account replies to alice, so that she gets notifications. */
const replyIntervalMs = 15_000;

/** Delegations between the accounts, made in the next block so that the services have data to show. */
const delegations = [
  ['alice', 'bob', '250000.000000 VESTS'],
  ['carol', 'bob', '12345.678901 VESTS'],
  ['bob', 'dave', '5000.000000 VESTS'],
] as const;

async function main(): Promise<void> {
  const devnet = await start();
  includeSampleContent(devnet.chain);
  for (const [delegator, delegatee, amount] of delegations) {
    const value = { delegator, delegatee, vesting_shares: amount };
    devnet.chain.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
  }
  let replies = 0;
  const replyTimer = setInterval(() => {
    replies += 1;
    includeReply(devnet.chain, replies);
  }, replyIntervalMs);
  const stop = () => {
    clearInterval(replyTimer);
    void devnet.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  // This process ends with `run.mjs`, which started it.
  process.once('disconnect', stop);
  console.log(describe(devnet));
}

async function start(): Promise<Devnet> {
  const host = process.env['HOST'] ?? '127.0.0.1';
  const port = portOf(devnetPort, process.env);
  try {
    const genesisTime = recentGenesisTime(1, sampleContentBlocks);
    return await Devnet.start({ host, port, blockIntervalMs, genesisTime, nodeKind: 'public' });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? portTaken(devnetPort, port, 'npm run devnet') : error;
  }
}

function describe({ url }: Devnet): string {
  const accounts = seedAccounts.map((name) => `  ${name.padEnd(6)} ${devnetKeys(name).posting.wif}`);
  return [`The devnet is a Hive API node at ${url}`, 'Accounts and their posting keys:', ...accounts].join('\n');
}

exitOnError(main());
