import { type Chat, createClientId, EndedError, type StoredMessage } from '@waggle/client/browser';
import type { BrowserStorage } from './browser-storage';
import { errorCodeOf } from './error-code';
import { isRecord } from './is-record';
import type { OutgoingText } from '../store/chat-data';
import type { DataStore } from '../store/data-store';
import { addMessage } from '../store/message-changes';

/** Prefix of the storage keys: one for each failed message, so that tabs do not overwrite each other's. */
const failedKeyPrefix = 'failed:';

/** Sends and acknowledges messages. */
export class Messages {
  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
    private readonly storage: BrowserStorage,
  ) {}

  /** Shows the failed messages of all tabs, and the unsent ones of the outbox. Called whenever the state is loaded. */
  restore(): void {
    const unsent = this.chat.outbox.flatMap(({ clientId, frame: { payload } }): OutgoingText[] =>
      'conversation_id' in payload && payload.conversation_id !== undefined
        ? [outgoingText(clientId, payload.conversation_id, payload.message)]
        : [],
    );
    const failed = this.storage
      .keys(failedKeyPrefix)
      .map((key) => this.storage.read(key))
      .filter(isOutgoingText)
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
    this.store.update((data) => {
      const known = new Set(data.outgoing.map(({ clientId }) => clientId));
      return {
        ...data,
        outgoing: [...[...failed, ...unsent].filter(({ clientId }) => !known.has(clientId)), ...data.outgoing],
      };
    });
  }

  /** Sends a text. It appears at once; `Synchronization` calls `onSent` or `onNotSent` later. */
  send(conversationId: string, text: string): void {
    const outgoing = outgoingText(createClientId(), conversationId, text);
    this.store.update((data) => ({ ...data, outgoing: [...data.outgoing, outgoing] }));
    void this.#transmit(outgoing);
  }

  retry(clientId: string): void {
    const failed = this.store.data.outgoing.find((each) => each.clientId === clientId);
    if (failed === undefined) return;
    this.discard(clientId);
    // After a lost reply the service still knows the client id, and does not store the message twice.
    const again = { ...failed, failure: undefined };
    this.store.update((data) => ({ ...data, outgoing: [...data.outgoing, again] }));
    void this.#transmit(again);
  }

  discard(clientId: string): void {
    this.store.update((data) => ({
      ...data,
      outgoing: data.outgoing.filter((outgoing) => outgoing.clientId !== clientId),
    }));
    this.storage.remove(failedKeyPrefix + clientId);
  }

  onSent(clientId: string, { seq, ...message }: StoredMessage): void {
    this.store.update((data) => {
      const outgoing = data.outgoing.filter((each) => each.clientId !== clientId);
      // Messages without a sequence number come last.
      return addMessage({ ...data, outgoing }, { ...message, seq: seq ?? Number.MAX_SAFE_INTEGER });
    });
  }

  onNotSent(clientId: string, error: unknown): void {
    this.store.update((data) => ({
      ...data,
      outgoing: data.outgoing.map((outgoing) =>
        outgoing.clientId === clientId
          ? { ...outgoing, failure: errorCodeOf(error), probableMessageId: undefined }
          : outgoing,
      ),
    }));
    const failed = this.store.data.outgoing.find((outgoing) => outgoing.clientId === clientId);
    if (failed !== undefined) this.storage.write(failedKeyPrefix + clientId, failed);
  }

  /** Acknowledges everything in the conversation as read. */
  acknowledge(conversationId: string): void {
    // If it fails, the messages stay unread, and are acknowledged when the conversation is viewed again.
    this.chat.acknowledge(conversationId).catch(() => undefined);
  }

  async #transmit({ clientId, conversationId, text }: OutgoingText): Promise<void> {
    try {
      await this.chat.send(conversationId, text, { clientId });
    } catch (error) {
      // If the chat has ended, the outbox keeps the message for the next start. Some errors have no event, such as a full outbox.
      if (!(error instanceof EndedError)) this.onNotSent(clientId, error);
    }
  }
}

function outgoingText(clientId: string, conversationId: string, text: string): OutgoingText {
  return { clientId, conversationId, text, createdAtMs: Date.now(), failure: undefined, probableMessageId: undefined };
}

function isOutgoingText(value: unknown): value is OutgoingText {
  return (
    isRecord(value) &&
    typeof value['createdAtMs'] === 'number' &&
    [value['clientId'], value['conversationId'], value['text']].every((each) => typeof each === 'string')
  );
}
