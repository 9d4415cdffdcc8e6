import { Injectable } from '@nestjs/common';
import { type Conversation } from '@waggle/contracts';
import { notFound } from '../errors';
import { type Page } from '../lists/page';
import { Following } from '../messages/following';
import { ConversationsStore, cursorAfter, type ConversationPage } from './conversations.store';

/** Reads conversations and their members. */
@Injectable()
export class ConversationLists {
  constructor(
    private readonly store: ConversationsStore,
    private readonly following: Following,
  ) {}

  /**
   * Returns the conversations of an account, the last updated first.
   * @param extended adds the last message, the number of unread messages, and `last_seq`
   */
  async ofAccount(account: string, extended: boolean, cursor: string | undefined): Promise<Page<Conversation>> {
    const { items, hasNext } = await this.toPage(await this.store.listOfAccount(account, cursor), account, extended);
    const last = items.at(-1);
    return { items, next: hasNext && last ? cursorAfter(last) : undefined };
  }

  /**
   * Returns a conversation. An account that reads a channel follows it.
   * @throws ChatError `not-found` if the account may not see the conversation
   */
  async find(id: string, account: string, extended = false): Promise<Conversation> {
    const { items } = await this.findSeveral([id], account, extended);
    if (items[0] === undefined) throw notFound();
    return items[0];
  }

  /**
   * Returns those of the conversations that the account may see, in the given order. The account follows the channels
   * among them.
   *
   * @returns a page of them; `next` has the ids of the others, as a request lists them
   */
  async findSeveral(ids: readonly string[], account: string, extended = false): Promise<Page<Conversation>> {
    const requested = [...new Set(ids)];
    const visible = await this.following.readAndFollow(account, async () => {
      const found = await this.store.findVisible(requested, account);
      const followable = found.snapshots.filter((each) => each.isFollowable).map(({ conversation }) => conversation.id);
      return { found, followable };
    });
    const { items, hasNext } = await this.toPage(visible, account, extended);
    const last = items.at(-1);
    return { items, next: hasNext && last ? requested.slice(requested.indexOf(last.id) + 1).join(',') : undefined };
  }

  /**
   * Returns members in the order they joined. @throws ChatError `not-found` if the account may not see the conversation
   */
  async members(id: string, account: string, cursor: string | undefined): Promise<Page<string>> {
    const page = await this.store.listMembers(id, account, cursor);
    if (page === undefined) throw notFound();
    return page;
  }

  /** Extends conversations if necessary. Extended ones are larger, so fewer of them may fit into a page. */
  private async toPage({ snapshots, hasNext }: ConversationPage, account: string, extended: boolean) {
    if (!extended) return { items: snapshots.map(({ conversation }) => conversation), hasNext };
    const items = await this.store.extend(snapshots, account);
    return { items, hasNext: hasNext || items.length < snapshots.length };
  }
}
