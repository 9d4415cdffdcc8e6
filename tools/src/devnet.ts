import { Devnet, devnetKeys, recentGenesisTime, seedAccounts } from '@waggle/testing';

/** A block each three seconds, as on Hive. */
const blockIntervalMs = 3000;

async function main(): Promise<void> {
  const host = process.env['HOST'] ?? '127.0.0.1';
  const port = readPort(process.env['DEVNET_PORT']);
  const devnet = await Devnet.start({ host, port, blockIntervalMs, genesisTime: recentGenesisTime() });
  const stop = () => void devnet.stop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  // `run.mjs`, which started us, is gone.
  process.once('disconnect', stop);
  console.log(describe(devnet));
}

function readPort(text = '8091'): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    fail(`DEVNET_PORT is "${text}"; it must be a port number, for example 8091.`);
  return port;
}

function describe({ url }: Devnet): string {
  const accounts = seedAccounts.map((name) => `  ${name.padEnd(6)} ${devnetKeys(name).posting.wif}`);
  return [`The devnet answers as a Hive API node at ${url}`, 'Accounts and their posting keys:', ...accounts].join(
    '\n',
  );
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

main().catch((error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    fail(`Port ${process.env['DEVNET_PORT'] ?? '8091'} is taken; set DEVNET_PORT to another one.`);
  }
  throw error;
});
