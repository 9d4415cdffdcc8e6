import {
  type Attachment,
  type Chat,
  createClientId,
  textOf,
  type OutgoingMessage,
  type StoredMessage,
} from '@waggle/client/browser';
import { type BrowserStorage, isRecord } from './browser-storage';
import { errorCodeOf } from './error-code';
import type { DataStore, OutgoingText } from '../store/chat-data';
import { addMessage } from '../store/message-changes';

/** Prefix of the storage keys: one for each failed message, so that tabs do not overwrite each other's. */
const failedKeyPrefix = 'failed:';

interface OutgoingPayload {
  conversation_id?: string | undefined;
  to?: unknown;
  message: string;
  reply_to?: string | undefined;
  attachments?: readonly unknown[] | undefined;
}

/** Sends and acknowledges messages. */
export class Messages {
  #lastCreatedAtMs = 0;

  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
    private readonly storage: BrowserStorage,
  ) {}

  /** Shows the failed messages of all tabs, and the unsent ones of the outbox. Called whenever the state is loaded. */
  restore(): void {
    const unsent = this.chat.outbox.map((message) => this.#outgoingOf(message));
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

  /**
   * Sends a text. It appears at once; `Synchronization` calls `onSent` or `onNotSent` later.
   *
   * @param replyTo id of the message that it replies to
   */
  send(conversationId: string, text: string, replyTo?: string, attachments?: readonly Attachment[]): void {
    const message = { clientId: createClientId(), conversationId, recipients: [], text, replyTo, attachments };
    const outgoing = this.#newOutgoing(message);
    this.#transmit(outgoing).catch(() => undefined);
  }

  /**
   * Sends the first message of a dm or, to several accounts, of a group. If it fails, it is shown as failed until it is
   * discarded.
   *
   * @returns the id of the conversation
   * @throws what `Chat` throws
   */
  begin(clientId: string, recipients: readonly string[], text: string): Promise<string> {
    return this.#transmit(
      this.#newOutgoing({ clientId, conversationId: undefined, recipients, text, replyTo: undefined }),
    );
  }

  retry(clientId: string): void {
    const failed = this.#find(clientId);
    if (failed === undefined) return;
    this.discard(clientId);
    // After a lost reply the service still knows the client id, and does not store the message twice.
    this.#transmit({ ...failed, failure: undefined }).catch(() => undefined);
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
      const rest = { ...data, outgoing: data.outgoing.filter((each) => each.clientId !== clientId) };
      const lastSeq = data.conversations.get(message.conversation_id)?.lastSeq ?? -1;
      // Its event already added it, unless the message was deleted since.
      if (seq !== undefined && seq <= lastSeq) return rest;
      // Messages without a sequence number come last.
      return addMessage(rest, { ...message, seq: seq ?? Number.MAX_SAFE_INTEGER });
    });
  }

  /** Called also for messages of an earlier run, before `restore`. */
  onNotSent(message: OutgoingMessage, error: unknown): void {
    this.#fail(this.#find(message.clientId) ?? this.#outgoingOf(message), error);
  }

  /** Marks the messages of the conversation up to a sequence number as read. */
  acknowledge(conversationId: string, seq: number): void {
    // If it fails, the messages stay unread, and are acknowledged when the conversation is viewed again.
    this.chat.acknowledgeUpTo(conversationId, seq).catch(() => undefined);
  }

  /** @returns the id of the conversation */
  async #transmit(outgoing: OutgoingText): Promise<string> {
    const { clientId } = outgoing;
    this.#put(outgoing);
    try {
      return (await this.#request(outgoing)).conversation_id;
    } catch (error) {
      // After the end of the chat the outbox keeps the message for the next start. `not-sent` is not emitted for all
      // errors, such as a full outbox.
      const isKept = this.chat.outbox.some((message) => message.clientId === clientId);
      if (!isKept && this.#find(clientId) !== undefined) this.#fail(outgoing, error);
      throw error;
    }
  }

  async #request({
    clientId,
    conversationId,
    recipients,
    text,
    replyTo,
    attachments,
  }: OutgoingText): Promise<StoredMessage> {
    const [first, ...others] = recipients;
    if (conversationId !== undefined)
      return this.chat.send(conversationId, text, {
        clientId,
        ...(replyTo !== undefined && { replyTo }),
        ...(attachments !== undefined && { attachments }),
      });
    if (first !== undefined && others.length === 0) return this.chat.sendTo(first, text, { clientId });
    return (await this.chat.createGroup(recipients, text, { clientId })).message;
  }

  #fail(outgoing: OutgoingText, error: unknown): void {
    const failed = { ...outgoing, failure: errorCodeOf(error), probableMessageId: undefined };
    this.storage.write(failedKeyPrefix + failed.clientId, failed);
    this.#put(failed);
  }

  /** Adds an outgoing text, or replaces the one with its `clientId`. */
  #put(outgoing: OutgoingText): void {
    const isSame = ({ clientId }: OutgoingText) => clientId === outgoing.clientId;
    this.store.update((data) => ({
      ...data,
      outgoing: data.outgoing.some(isSame)
        ? data.outgoing.map((each) => (isSame(each) ? outgoing : each))
        : [...data.outgoing, outgoing],
    }));
  }

  #find(clientId: string): OutgoingText | undefined {
    return this.store.data.outgoing.find((each) => each.clientId === clientId);
  }

  #outgoingOf({ clientId, frame: { payload } }: OutgoingMessage): OutgoingText {
    const { conversation_id, to, message, reply_to, attachments: files }: OutgoingPayload = payload;
    const attachments = files?.filter(isAttachment);
    return this.#newOutgoing({
      clientId,
      conversationId: conversation_id,
      recipients: [to ?? []].flat().filter(isString),
      text: textOf({ content: message, attachments }),
      attachments,
      replyTo: reply_to,
    });
  }

  #newOutgoing(
    message: Pick<OutgoingText, 'clientId' | 'conversationId' | 'recipients' | 'text' | 'replyTo' | 'attachments'>,
  ): OutgoingText {
    // Failed messages are sorted by this time after a reload, so it ascends even if the clock is set back.
    this.#lastCreatedAtMs = Math.max(Date.now(), this.#lastCreatedAtMs + 1);
    return { ...message, createdAtMs: this.#lastCreatedAtMs, failure: undefined, probableMessageId: undefined };
  }
}

function isOutgoingText(value: unknown): value is OutgoingText {
  return (
    isRecord(value) &&
    typeof value['createdAtMs'] === 'number' &&
    isString(value['clientId']) &&
    isString(value['text']) &&
    isAbsentOrString(value['conversationId']) &&
    isAbsentOrString(value['replyTo']) &&
    (value['attachments'] === undefined ||
      (Array.isArray(value['attachments']) && value['attachments'].every(isAttachment))) &&
    Array.isArray(value['recipients']) &&
    value['recipients'].every(isString)
  );
}

function isAttachment(value: unknown): value is Attachment {
  return isRecord(value) && isString(value['url']) && isString(value['name']) && isString(value['media_type']);
}

function isAbsentOrString(value: unknown): value is string | undefined {
  return value === undefined || isString(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
