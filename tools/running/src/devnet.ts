import { Devnet, recentGenesisTime } from '@waggle/devnet';

/** Starts a devnet with these accounts. Each is created in its own block, so the chain starts that much earlier. */
export async function startDevnet(accounts: readonly string[]): Promise<Devnet> {
  const devnet = await Devnet.start({ genesisTime: recentGenesisTime(accounts.length) });
  for (const account of accounts) {
    devnet.createAccount(account);
    // Each account takes milliseconds of CPU: let signals be handled in between.
    await new Promise(setImmediate);
  }
  return devnet;
}
