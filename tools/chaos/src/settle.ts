import { isMetWithin } from '@waggle/running/waiting';
import { type LibraryClient } from './clients/library-client';
import { differingKeys } from './check/check-devices';
import { type Conversation } from './conversations';
import { type Device } from './devices/device';
import { type DeviceState } from './observation';
import { type SendLog } from './send-log';

/** Longer than the pauses of the library between its attempts to reconnect. */
const timeoutMs = 120_000;

/** For what a device fetches after an event. */
const deviceTimeoutMs = 15_000;

export interface SettleOptions {
  clients: readonly LibraryClient[];
  conversations: readonly Conversation[];
  sendLog: SendLog;
  signal: AbortSignal;
}

/**
 * Waits until all clients are connected, no message is pending, and all subscribers received a last message, which is
 * sent to each conversation for this purpose.
 *
 * @returns what did not happen in time
 */
export async function settle({ clients, conversations, sendLog, signal }: SettleOptions): Promise<string[]> {
  const isConnected = () => clients.every((client) => client.isConnected);
  const hasResults = () => sendLog.pending.length === 0;

  await isMetWithin(() => isConnected() && hasResults(), timeoutMs, signal);
  const disconnected = clients
    .filter((client) => !client.isConnected)
    .map(({ account }) => `${account} is not connected`);

  const lastMessages = conversations.map((conversation) => ({ conversation, tag: sendLast(conversation, sendLog) }));
  await isMetWithin(hasResults, timeoutMs, signal);

  const missing = () =>
    lastMessages.flatMap(({ conversation: { id, subscribers }, tag }) =>
      subscribers
        .filter((subscriber) => !subscriber.hasReceived(tag))
        .map(({ account }) => `${account} did not receive ${tag} in ${id}`),
    );
  await isMetWithin(() => missing().length === 0, timeoutMs, signal);
  return [...disconnected, ...missing()];
}

/** Waits until a device shows what it fetches. */
export async function settleDevice(device: Device, signal: AbortSignal): Promise<DeviceState> {
  const fetched = await device.fetch();
  const isEqual = () => {
    const { shown } = device;
    return Object.keys(fetched).every((id) => differingKeys(shown[id] ?? {}, fetched[id] ?? {}).length === 0);
  };
  await isMetWithin(isEqual, deviceTimeoutMs, signal);
  return { account: device.account, shown: device.shown, fetched };
}

/** Sends a message. @returns its tag */
function sendLast({ id, writers }: Conversation, sendLog: SendLog): string {
  const [writer] = writers;
  if (writer === undefined) throw new RangeError('a conversation without writers');
  let sentTag = '';
  void sendLog.send(writer.account, id, (tag) => {
    sentTag = tag;
    return writer.send(id, `${tag} last`);
  });
  return sentTag;
}
