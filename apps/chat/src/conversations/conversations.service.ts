import { Injectable } from '@nestjs/common';
import { type Conversation } from '@waggle/contracts';
import { ChatError } from '../errors';
import { MessagesService } from '../messages/messages.service';
import { noSuchConversation } from '../messages/not-found';
import { type FrameRequest } from '../realtime/frame-request';
import { Accounts } from './accounts';
import { ConversationCreator } from './conversation-creator';
import { ConversationsStore } from './conversations.store';

@Injectable()
export class ConversationsService {
  constructor(
    private readonly accounts: Accounts,
    private readonly creator: ConversationCreator,
    private readonly messages: MessagesService,
    private readonly store: ConversationsStore,
  ) {}

  listOf(account: string): Promise<Conversation[]> {
    return this.store.listOf(account);
  }

  /** @throws ServiceError `not-found` where it does not exist or is not the account's */
  async get(id: string, account: string): Promise<Conversation> {
    const [conversation] = await this.store.findVisible([id], account);
    if (conversation === undefined) throw noSuchConversation();
    return conversation;
  }

  /** Those that the account may see, in the order asked. */
  async list(ids: readonly string[], account: string): Promise<Conversation[]> {
    const found = new Map((await this.store.findVisible(ids, account)).map((each) => [each.id, each]));
    return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
  }

  /**
   * The dm of the two with a first message. Where they have one already it is answered to the request alone, and the
   * message goes into it.
   *
   * @throws ServiceError `forbidden`, `account-not-found`, `unavailable`
   */
  async openDm(account: string, other: string, content: string, cause: FrameRequest): Promise<void> {
    const id = await this.findOrCreateDm(account, other, content, cause);
    if (id === undefined) return;
    cause.answer('conversation-created', await this.get(id, account));
    await this.messages.send(account, { conversationId: id, to: other, content }, cause);
  }

  /** A message to another account, in the dm of the two, which is made where they have none. @throws as `openDm` */
  async writeTo(account: string, other: string, content: string, cause: FrameRequest): Promise<void> {
    const id = await this.findOrCreateDm(account, other, content, cause);
    if (id !== undefined) await this.messages.send(account, { conversationId: id, to: other, content }, cause);
  }

  /** @returns the dm that they have; undefined where it was made just now, with its first message */
  private async findOrCreateDm(
    account: string,
    other: string,
    content: string,
    cause: FrameRequest,
  ): Promise<string | undefined> {
    if (account === other) throw new ChatError('forbidden', 'a dm has two members');
    const id = await this.store.findDmId(account, other);
    if (id !== undefined) return id;
    await this.accounts.requireAll([other]);
    const isNew = await this.creator.create(
      { type: 'dm', creator: account, members: [account, other] },
      content,
      cause,
    );
    if (isNew) return undefined;
    // The other side was faster.
    const made = await this.store.findDmId(account, other);
    if (made === undefined) throw new Error('a dm that is there and is not');
    return made;
  }

  /** A group of the members, its creator among them, with a first message. @throws ServiceError `account-not-found`, `unavailable` */
  async createGroup(creator: string, members: readonly string[], content: string, cause: FrameRequest): Promise<void> {
    await this.accounts.requireAll(members);
    await this.creator.create({ type: 'group', creator, members }, content, cause);
  }
}
