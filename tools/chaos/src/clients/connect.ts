import { type Running } from '@waggle/running';
import { type ChaosStack } from '../stack';
import { LibraryClient } from './library-client';
import { RawClient } from './raw-client';

const concurrentLogins = 8;

/** Logs in and connects all accounts. */
export async function connectAll(
  running: Running,
  stack: ChaosStack,
  accounts: readonly string[],
): Promise<LibraryClient[]> {
  const clients: LibraryClient[] = [];
  const pending = [...accounts.entries()];
  const connectSome = async (): Promise<void> => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const [index, account] = next;
      running.signal.throwIfAborted();
      const client = await LibraryClient.connect(account, index, await stack.startProxy(index));
      clients[index] = running.use({ stop: () => client.close(), client }).client;
    }
  };
  await Promise.all(Array.from({ length: concurrentLogins }, connectSome));
  return clients;
}

/** Connects the account of a client without the library. Every second connection requests sequence numbers. */
export async function connectRaw(
  running: Running,
  stack: ChaosStack,
  client: LibraryClient,
  index: number,
): Promise<RawClient> {
  const { port } = await stack.startProxy(index);
  const { account, webSocketToken: token } = client;
  const raw = new RawClient({ account, token, url: `ws://127.0.0.1:${port}/ws`, requestsSync: index % 2 === 0 });
  running.use({ stop: () => raw.close() });
  return raw;
}
