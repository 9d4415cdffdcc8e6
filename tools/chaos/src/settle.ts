import { type LibraryClient } from './clients/library-client';
import { type Conversation } from './conversations';
import { type Ledger } from './ledger';
import { until } from './until';

/** When all faults are over, every client is back within this: the longest pauses of the library are shorter. */
const settleMostMs = 120_000;

export interface SettleOptions {
  clients: readonly LibraryClient[];
  conversations: readonly Conversation[];
  ledger: Ledger;
  signal: AbortSignal;
}

/**
 * Waits until everything has come to rest after the faults: every client connected, nothing waits to be sent, and each
 * holds the last message of each of its conversations, which is written for this.
 *
 * @returns what did not come to rest in time
 */
export async function settle({ clients, conversations, ledger, signal }: SettleOptions): Promise<string[]> {
  const isConnected = () => clients.every((client) => client.isConnected);
  const isAnswered = () => ledger.waiting.length === 0;

  await until(() => isConnected() && isAnswered(), settleMostMs, signal);
  const away = clients.filter((client) => !client.isConnected).map(({ account }) => `${account} is not connected`);

  const closing = conversations.map((conversation) => ({ conversation, mark: writeLast(conversation, ledger) }));
  await until(isAnswered, settleMostMs, signal);

  const lacking = () =>
    closing.flatMap(({ conversation: { id, hearers }, mark }) =>
      hearers.filter((hearer) => !hearer.holds(mark)).map(({ account }) => `${account} has not heard ${mark} in ${id}`),
    );
  await until(() => lacking().length === 0, settleMostMs, signal);
  return [...away, ...lacking()];
}

/** @returns the mark of the message */
function writeLast({ id, writers }: Conversation, ledger: Ledger): string {
  const [writer] = writers;
  if (writer === undefined) throw new RangeError('a conversation of nobody');
  let written = '';
  void ledger.send(writer.account, id, (mark) => {
    written = mark;
    return writer.send(id, `${mark} the last one`);
  });
  return written;
}
