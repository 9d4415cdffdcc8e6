import { Injectable } from '@nestjs/common';
import { type Conversation } from '@waggle/contracts';
import { Accounts } from '../accounts';
import { Delivery } from '../delivery/delivery';
import { ChatError, notThere } from '../errors';
import { encodeCursor } from '../lists/cursors';
import { type Page } from '../lists/page';
import { eventsOf, type Entry } from '../log/entry';
import { LogStore } from '../log/log.store';
import { DirectConversations } from '../messages/direct-conversations';
import { Following } from '../messages/following';
import { MessagesService } from '../messages/messages.service';
import { type MessageContent } from '../messages/send-result';
import { type FrameRequest } from '../realtime/frame-request';
import { ConversationCreator } from './conversation-creator';
import { placeOfCreation } from './conversations.statements';
import { ConversationsStore, type FirstConversations } from './conversations.store';

@Injectable()
export class ConversationsService implements DirectConversations {
  constructor(
    private readonly accounts: Accounts,
    private readonly creator: ConversationCreator,
    private readonly messages: MessagesService,
    private readonly store: ConversationsStore,
    private readonly following: Following,
    private readonly delivery: Delivery,
    private readonly log: LogStore,
  ) {}

  /** @param extended with what a list of conversations shows besides */
  async listOf(account: string, extended: boolean, cursor: string | undefined): Promise<Page<Conversation>> {
    const { items, hasNext } = await this.toPage(await this.store.listOf(account, cursor), account, extended);
    const last = items.at(-1);
    return { items, next: hasNext && last ? encodeCursor([Date.parse(last.updated_at), last.id]) : undefined };
  }

  /** Whoever asks for a channel follows it from now on. @throws ServiceError `not-found` where it is not there or not the account's */
  async get(id: string, account: string, extended = false): Promise<Conversation> {
    const { items } = await this.list([id], account, extended);
    if (items[0] === undefined) throw notThere();
    return items[0];
  }

  /**
   * Those that the account may see, in the order asked; it follows the channels among them from now on.
   * @returns the first of them, and as `next` the ids of the others, as they are asked for
   */
  async list(ids: readonly string[], account: string, extended = false): Promise<Page<Conversation>> {
    const asked = [...new Set(ids)];
    const visible = await this.following.followWhatIsFound(account, async () => {
      const found = await this.store.findVisible(asked, account);
      const followable = found.seen.filter((each) => each.mayFollow).map(({ conversation }) => conversation.id);
      return { found, followable };
    });
    const { items, hasNext } = await this.toPage(visible, account, extended);
    const last = items.at(-1);
    return { items, next: hasNext && last ? asked.slice(asked.indexOf(last.id) + 1).join(',') : undefined };
  }

  /** The members in the order of `members`. @throws ServiceError `not-found` where it is not there or not the account's */
  async listMembers(id: string, account: string, cursor: string | undefined): Promise<Page<string>> {
    const page = await this.store.listMembers(id, account, cursor);
    if (page === undefined) throw notThere();
    return page;
  }

  /** Those that fit into a page as they are wanted. */
  private async toPage({ seen, hasNext }: FirstConversations, account: string, extended: boolean) {
    if (!extended) return { items: seen.map(({ conversation }) => conversation), hasNext };
    const items = await this.store.extend(seen, account);
    return { items, hasNext: hasNext || items.length < seen.length };
  }

  /**
   * The dm of the two with a first message. Where they have one already it is answered to the request alone, and the
   * message goes into it.
   *
   * @throws ServiceError `forbidden`, `account-not-found`, `blocked`, `friends-only`, `unavailable`
   */
  async openDm(account: string, other: string, first: MessageContent, cause: FrameRequest): Promise<void> {
    const id = await this.findOrCreateDm(account, other, first, cause);
    if (id === undefined) return;
    const opened = await this.get(id, account);
    await this.messages.send(account, { conversationId: id, ...first }, cause, () => {
      cause.answer('conversation-created', opened);
    });
  }

  async writeTo(account: string, other: string, first: MessageContent, cause: FrameRequest): Promise<void> {
    const id = await this.findOrCreateDm(account, other, first, cause);
    if (id !== undefined) await this.messages.send(account, { conversationId: id, ...first }, cause);
  }

  /**
   * Creates a group with a first message.
   *
   * @throws ServiceError `too-large`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` where its mark is that of another group
   */
  async createGroup(
    creator: string,
    invited: readonly string[],
    first: MessageContent,
    cause: FrameRequest,
  ): Promise<void> {
    const members = this.creator.membersOf(creator, invited);
    if (await this.repeatCreation(creator, members, first, cause)) return;
    await this.accounts.requireAll(members);
    if (await this.creator.createGroup(creator, members, first, cause)) return;
    // A repeat of ours was faster.
    if (!(await this.repeatCreation(creator, members, first, cause)))
      throw new Error('a group that is there and is not');
  }

  /** Answers the creation of a group again, and its first message. @returns whether there is one with this mark */
  private async repeatCreation(
    creator: string,
    members: readonly string[],
    first: MessageContent,
    cause: FrameRequest,
  ): Promise<boolean> {
    const id = first.clientId === null ? undefined : await this.store.findByClientId(creator, first.clientId);
    if (id === undefined) return false;
    const [creation] = await this.log.findEntries([{ stream: id, seq: 0 }]);
    if (creation?.seq !== placeOfCreation) throw new Error('a group without a beginning');
    if (!isCreationOf(members, creation)) throw new ChatError('conflict', 'another group was made with this client_id');
    // The first message bears the same mark, and is known by it.
    await this.messages.send(creator, { conversationId: id, ...first }, cause, () => {
      this.delivery.repeat(creation, cause);
    });
    return true;
  }

  /** @returns the dm that they have; undefined where it was made just now, with its first message */
  private async findOrCreateDm(
    account: string,
    other: string,
    first: MessageContent,
    cause: FrameRequest,
  ): Promise<string | undefined> {
    if (account === other) throw new ChatError('forbidden', 'a dm has two members');
    const id = await this.store.findDmId(account, other);
    if (id !== undefined) return id;
    await this.accounts.requireAll([other]);
    if (await this.creator.createDm(account, other, first, cause)) return undefined;
    // The other side was faster.
    const made = await this.store.findDmId(account, other);
    if (made === undefined) throw new Error('a dm that is there and is not');
    return made;
  }
}

/** Whether a group began with these members, in whatever order. */
function isCreationOf(members: readonly string[], creation: Entry): boolean {
  const [event] = eventsOf(creation);
  if (event?.type !== 'conversation-created') return false;
  return event.payload.members.toSorted().join(' ') === members.toSorted().join(' ');
}
