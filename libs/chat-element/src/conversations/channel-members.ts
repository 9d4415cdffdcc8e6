import type { ChatApi } from '@waggle/client/browser';
import type { ReactiveControllerHost } from 'lit';
import type { ConversationData } from '../store/chat-data';

/** Limit of the members of a channel that are shown: more than a person reads. */
const maxMembers = 1_000;

/** The members of a channel that its data may contain. If there are more, they are loaded on request. */
const maxListedMembers = 250;

type Conversation = Pick<ConversationData, 'id' | 'type' | 'members'>;
type Api = Pick<ChatApi, 'members'> | undefined;

/** Loads the members of a channel, since its data may lack some. Dms and groups have all. */
export class ChannelMembers {
  #loaded: { id: string; accounts: readonly string[] } | undefined;
  /** The small channel whose members were requested last, and whether that failed. */
  #requested: { id: string; hasFailed: boolean } | undefined;

  constructor(private readonly host: ReactiveControllerHost) {}

  /** The loaded members of a channel; none before they are loaded. */
  of(id: string): readonly string[] {
    return this.#loaded?.id === id ? this.#loaded.accounts : [];
  }

  /** Whether no members have to be loaded. */
  areKnown({ id, type }: Conversation): boolean {
    return type !== 'channel' || this.#loaded?.id === id;
  }

  /** Whether there are, or may be, more members than are known. */
  arePartial(conversation: Conversation): boolean {
    const { id, members } = conversation;
    const hasFailed = this.#requested?.id === id && this.#requested.hasFailed;
    return !this.areKnown(conversation) && (members.length >= maxListedMembers || hasFailed);
  }

  /** Loads the members of a small channel, once: its data may come from an event, which does not contain all. */
  loadFew(conversation: Conversation | undefined, api: Api): void {
    if (conversation?.type !== 'channel' || conversation.members.length >= maxListedMembers) return;
    const { id } = conversation;
    if (this.#requested?.id === id || api === undefined) return;
    const requested = { id, hasFailed: false };
    this.#requested = requested;
    this.load(id, api).catch(() => {
      requested.hasFailed = true;
      this.host.requestUpdate();
    });
  }

  /** Loads the members of a channel. @throws as `ChatApi.members` */
  async load(id: string, api: Api): Promise<void> {
    const accounts: string[] = [];
    for await (const account of api?.members(id) ?? []) {
      accounts.push(account);
      if (accounts.length >= maxMembers) break;
    }
    this.#loaded = { id, accounts };
    this.host.requestUpdate();
  }
}
