import { Injectable } from '@nestjs/common';
import { type Conversation } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';
import { Dms } from '../messages/dms';
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
    private readonly dms: Dms,
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
    if (account === other) throw new ServiceError('forbidden', 'a dm has two members');
    let id = await this.dms.findId(account, other);
    if (id === undefined) {
      await this.accounts.requireAll([other]);
      if (await this.creator.create({ type: 'dm', creator: account, members: [account, other] }, content, cause))
        return;
      // The other side was faster.
      id = await this.dms.findId(account, other);
      if (id === undefined) throw new Error('a dm that is there and is not');
    }
    cause.answer('conversation-created', await this.get(id, account));
    await this.messages.send(account, { conversationId: id, to: other, content }, cause);
  }

  /** A group of the accounts and its creator, with a first message. @throws ServiceError `too-large`, `account-not-found`, `unavailable` */
  async createGroup(account: string, others: readonly string[], content: string, cause: FrameRequest): Promise<void> {
    const members = [...new Set([account, ...others])];
    await this.accounts.requireAll(members);
    await this.creator.create({ type: 'group', creator: account, members }, content, cause);
  }
}
