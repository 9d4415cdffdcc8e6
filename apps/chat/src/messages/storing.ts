import { type Acknowledged, type Acknowledgment } from './messages.store';
import { type NewMessage, type Written } from './new-message';

/** What became of a message about which there was something to be found out. */
export type Settled = Exclude<Written, { outcome: 'failed' }>;

interface Waiting {
  sinceMs: number;
  reject: (error: unknown) => void;
}

interface WaitingMessage extends Waiting {
  message: NewMessage;
  resolve: (written: Settled) => void;
}

interface WaitingAcknowledgment extends Waiting {
  acknowledgment: Acknowledgment;
  resolve: (acknowledged: Acknowledged | undefined) => void;
}

/** What waits to be stored beside others. */
export type Storable = WaitingMessage | WaitingAcknowledgment;

/** Work that stores and tells of it itself, alone. */
export interface Turn extends Waiting {
  run: () => Promise<void>;
}

/** What the queue stores by. */
export interface MessageStorage {
  /** @returns what became of each message, in the given order */
  write(messages: readonly NewMessage[]): Promise<Written[]>;
  /** @returns those whose conversation is the account's */
  acknowledge(acknowledgments: readonly Acknowledgment[]): Promise<Acknowledged[]>;
}

/** Tells those who wait what became of it. */
export type Settle = () => void;

export function conversationOf(waiting: Storable): string {
  return 'message' in waiting ? waiting.message.conversationId : waiting.acknowledgment.conversationId;
}

/**
 * Stores a batch, acknowledgments first: they are of what was told before, not of what waits beside them.
 * @returns once all is durable or refused; never rejects
 */
export async function storeAll(storage: MessageStorage, batch: readonly Storable[]): Promise<Settle> {
  const acknowledgments = batch.flatMap((entry) => ('acknowledgment' in entry ? [entry] : []));
  const messages = batch.flatMap((entry) => ('message' in entry ? [entry] : []));
  const settles: Settle[] = [];
  if (acknowledgments.length > 0) settles.push(await acknowledgeAll(storage, acknowledgments));
  if (messages.length > 0) settles.push(await writeAll(storage, messages));
  return () => {
    for (const settle of settles) settle();
  };
}

async function acknowledgeAll(storage: MessageStorage, batch: readonly WaitingAcknowledgment[]): Promise<Settle> {
  try {
    const done = await storage.acknowledge(batch.map(({ acknowledgment }) => acknowledgment));
    const byKey = new Map(done.map((each) => [keyOf(each), each]));
    return () => {
      for (const { acknowledgment, resolve } of batch) resolve(byKey.get(keyOf(acknowledgment)));
    };
  } catch (error) {
    return rejecting(batch, error);
  }
}

async function writeAll(storage: MessageStorage, batch: readonly WaitingMessage[]): Promise<Settle> {
  try {
    const written = await storage.write(batch.map(({ message }) => message));
    return () => {
      for (const [index, waiting] of batch.entries()) settleMessage(waiting, written[index]);
    };
  } catch (error) {
    return rejecting(batch, error);
  }
}

function settleMessage({ resolve, reject }: WaitingMessage, result: Written | undefined) {
  if (result === undefined) reject(new Error('a message without an outcome'));
  else if (result.outcome === 'failed') reject(result.error);
  else resolve(result);
}

function rejecting(batch: readonly Waiting[], error: unknown): Settle {
  return () => {
    for (const { reject } of batch) reject(error);
  };
}

function keyOf({ conversationId, account }: Acknowledgment): string {
  return `${conversationId} ${account}`;
}
