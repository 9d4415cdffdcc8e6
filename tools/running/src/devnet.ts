import { Devnet, recentGenesisTime } from '@waggle/devnet';

/** A devnet on which the accounts are. Each is created in a block of its own, so the chain begins that much earlier. */
export async function startDevnet(accounts: readonly string[]): Promise<Devnet> {
  const devnet = await Devnet.start({ genesisTime: recentGenesisTime(accounts.length) });
  for (const account of accounts) {
    devnet.createAccount(account);
    // Each takes milliseconds to compute: let a Ctrl-C through.
    await new Promise(setImmediate);
  }
  return devnet;
}
