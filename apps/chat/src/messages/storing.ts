import { type Acknowledged, type Acknowledgment } from './acknowledge';
import { type NewMessage, type Stored, type Written } from './new-message';

/** What became of a message about which there was something to be found out. */
export type Settled = Exclude<Stored, { outcome: 'failed' }>;

interface InLine {
  sinceMs: number;
  reject: (error: unknown) => void;
}

export interface WaitingMessage extends InLine {
  message: NewMessage;
  resolve: (written: Settled) => void;
}

interface WaitingAcknowledgment extends InLine {
  acknowledgment: Acknowledgment;
  resolve: (acknowledged: Acknowledged | undefined) => void;
}

/** What waits to be stored beside others. */
export type Waiting = WaitingMessage | WaitingAcknowledgment;

/** What the queue stores by. */
export interface MessageStorage {
  /** @returns what became of each message, in the given order; those that bring somebody in are not stored by it */
  write(messages: readonly NewMessage[]): Promise<Written[]>;
  /** Stores a message that brings somebody in, which takes a transaction. */
  bringIn(message: NewMessage): Promise<Stored>;
  /** @returns those whose conversation is the account's */
  acknowledge(acknowledgments: readonly Acknowledgment[]): Promise<Acknowledged[]>;
}

/** A batch that was stored. */
export interface StoredBatch {
  /** Tells those who wait what became of it. */
  settle: () => void;
  /** Those that are to be brought in. */
  arriving: readonly WaitingMessage[];
}

export function conversationOf(waiting: Waiting): string {
  return 'message' in waiting ? waiting.message.conversationId : waiting.acknowledgment.conversationId;
}

/**
 * Stores a batch, acknowledgments first: they are of what was told before, not of what waits beside them.
 * @returns once all is durable or refused; never rejects
 */
export async function storeAll(storage: MessageStorage, batch: readonly Waiting[]): Promise<StoredBatch> {
  const acknowledgments = batch.filter((entry) => 'acknowledgment' in entry);
  const messages = batch.filter((entry) => 'message' in entry);
  const settleAcknowledgments = acknowledgments.length > 0 ? await acknowledgeAll(storage, acknowledgments) : undefined;
  const written = messages.length > 0 ? await writeAll(storage, messages) : undefined;
  return {
    settle: () => {
      settleAcknowledgments?.();
      written?.settle();
    },
    arriving: written?.arriving ?? [],
  };
}

/** As `storeAll`, one that brings somebody in. */
export async function bringIn(storage: MessageStorage, waiting: WaitingMessage): Promise<() => void> {
  try {
    const stored = await storage.bringIn(waiting.message);
    return () => {
      settleMessage(waiting, stored);
    };
  } catch (error) {
    return rejecting([waiting], error);
  }
}

async function acknowledgeAll(storage: MessageStorage, batch: readonly WaitingAcknowledgment[]): Promise<() => void> {
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

async function writeAll(storage: MessageStorage, batch: readonly WaitingMessage[]): Promise<StoredBatch> {
  try {
    const written = await storage.write(batch.map(({ message }) => message));
    return {
      settle: () => {
        for (const [index, waiting] of batch.entries()) {
          const result = written[index];
          if (result?.outcome !== 'arrives') settleMessage(waiting, result);
        }
      },
      arriving: batch.filter((_waiting, index) => written[index]?.outcome === 'arrives'),
    };
  } catch (error) {
    return { settle: rejecting(batch, error), arriving: [] };
  }
}

function settleMessage({ resolve, reject }: WaitingMessage, result: Stored | undefined) {
  if (result === undefined) reject(new Error('a message without an outcome'));
  else if (result.outcome === 'failed') reject(result.error);
  else resolve(result);
}

function rejecting(batch: readonly InLine[], error: unknown): () => void {
  return () => {
    for (const { reject } of batch) reject(error);
  };
}

function keyOf({ conversationId, account }: Acknowledgment): string {
  return `${conversationId} ${account}`;
}
