import { type Running } from '@waggle/running';
import { type ChaosStack } from '../stack';
import { LibraryClient } from './library-client';
import { RawClient } from './raw-client';

/** How many clients log in at once. */
const loginsAtOnce = 8;

/** All accounts, logged in and connected. */
export async function connectAll(
  running: Running,
  stack: ChaosStack,
  accounts: readonly string[],
): Promise<LibraryClient[]> {
  const clients: LibraryClient[] = [];
  const waiting = [...accounts.entries()];
  const connectSome = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, account] = next;
      running.signal.throwIfAborted();
      const client = await LibraryClient.connect(account, index, await stack.front(index));
      clients[index] = running.keep({ stop: () => client.close(), client }).client;
    }
  };
  await Promise.all(Array.from({ length: loginsAtOnce }, connectSome));
  return clients;
}

/** A connection without the library for the account of a client. Every other one asks for places. */
export async function connectRaw(
  running: Running,
  stack: ChaosStack,
  client: LibraryClient,
  index: number,
): Promise<RawClient> {
  const { port } = await stack.front(index);
  const { account, webSocketToken: token } = client;
  const raw = new RawClient({ account, token, url: `ws://127.0.0.1:${port}/ws`, asksForPlaces: index % 2 === 0 });
  running.keep({ stop: () => raw.close() });
  return raw;
}
