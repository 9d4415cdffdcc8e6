import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Receipt } from '@waggle/contracts';
import { LOGGER, type Logger, POOL, sql, Statement, ThrottledLog } from '@waggle/service';
import { type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { notFound } from '../errors';
import { type ChatEvent } from '../log/entry';
import { memberTable } from '../log/member.entity';
import { MESSAGES_SETTINGS, type MessagesSettings } from './messages-settings';

/**
 * Time that an instance collects the receipts of a group, in milliseconds, to send them in one frame. Otherwise each
 * member who reads a message would cause one.
 */
const collectMs = 1_000;

/**
 * Returns the members of a group, how far each has read, and which members may not see that; no rows if the group has
 * more than `$2` members, or the conversation is no group.
 */
const receiptsOfGroup = new Statement({
  name: 'receipts-of-group',
  text: `
    WITH members AS MATERIALIZED (
      SELECT account, receipt_seq FROM member WHERE conversation_id = $1 AND status = 'member' LIMIT $2::int + 1
    )
    SELECT m.account, m.receipt_seq AS seq,
           -- If one of two members blocks the other, neither sees the receipt of the other.
           ARRAY(
             SELECT other.account FROM members other
             WHERE (SELECT true FROM block WHERE blocker = m.account AND blocked = other.account) IS NOT NULL
                OR (SELECT true FROM block WHERE blocker = other.account AND blocked = m.account) IS NOT NULL
           ) AS hidden_from
    FROM members m
    WHERE (SELECT type = 'group' FROM conversation WHERE id = $1) AND (SELECT count(*) FROM members) <= $2
    ORDER BY m.account`,
  parameters: { conversationId: memberTable.conversationId, maxMembers: sql.int4 },
  columns: {
    account: memberTable.account,
    seq: memberTable.receiptSeq,
    hidden_from: sql.notNull(sql.arrayOf(memberTable.account)),
  },
});

/** Returns a row if account `$2` may read conversation `$1`. */
const findVisibleConversation = new Statement({
  name: 'visible-conversation',
  text: `
    SELECT FROM conversation c LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $2
    WHERE c.id = $1 AND (c.type = 'channel' OR mine.status = 'member')`,
  parameters: { conversationId: memberTable.conversationId, account: memberTable.account },
  columns: {},
});

/** A receipt of a member, and the members who do not see it. */
interface MemberReceipt {
  receipt: Receipt;
  hiddenFrom: readonly string[];
}

/** Lists and broadcasts the read receipts of small groups, which are `receipt_seq` of their members. */
@Injectable()
export class GroupReceipts implements OnModuleDestroy {
  /** By group: the accounts that have read since its last broadcast. */
  private readonly readersByGroup = new Map<string, Set<string>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private isStopped = false;
  private readonly failures: ThrottledLog;

  constructor(
    private readonly delivery: Delivery,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(MESSAGES_SETTINGS) private readonly settings: MessagesSettings,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'cannot broadcast receipts');
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** Returns how far the members of a small group have read, as a member sees it. @throws ChatError `not-found` */
  async list(conversationId: string, account: string): Promise<Receipt[]> {
    if ((await findVisibleConversation.find(this.pool, { conversationId, account })) === undefined) throw notFound();
    const members = await this.read(conversationId);
    return members.filter(({ hiddenFrom }) => !hiddenFrom.includes(account)).map(({ receipt }) => receipt);
  }

  /** Schedules a broadcast of how far an account has read a group. */
  broadcastSoon(conversationId: string, account: string): void {
    if (this.settings.receiptMembers === 0 || this.isStopped) return;
    const readers = this.readersByGroup.get(conversationId);
    if (readers !== undefined) {
      readers.add(account);
      return;
    }
    this.readersByGroup.set(conversationId, new Set([account]));
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.broadcast(conversationId).catch((error: unknown) => {
        this.failures.log(error);
      });
    }, collectMs);
    this.timers.add(timer);
  }

  /**
   * Sends the receipts of the accounts that have read since the last broadcast: one frame for all receipts that every
   * member sees, and one for each that is hidden from some.
   */
  private async broadcast(conversationId: string): Promise<void> {
    const readers = this.readersByGroup.get(conversationId) ?? new Set();
    this.readersByGroup.delete(conversationId);
    const members = await this.read(conversationId);
    const changed = members.filter(({ receipt }) => readers.has(receipt.username));
    const shownToAll = changed.filter(({ hiddenFrom }) => hiddenFrom.length === 0).map(({ receipt }) => receipt);
    if (shownToAll.length > 0) this.send(conversationId, shownToAll, {});
    const accounts = members.map(({ receipt }) => receipt.username);
    for (const { receipt, hiddenFrom } of changed) {
      if (hiddenFrom.length === 0) continue;
      const recipients = accounts.filter((account) => !hiddenFrom.includes(account));
      this.send(conversationId, [receipt], recipients);
    }
  }

  private send(conversationId: string, receipts: Receipt[], to: ChatEvent['to']): void {
    const payload = { conversation_id: conversationId, receipts };
    this.delivery.broadcast(conversationId, { type: 'receipts-changed', payload, to });
  }

  /** Returns the receipts of all members of a group; none if it is too large. */
  private async read(conversationId: string): Promise<MemberReceipt[]> {
    const maxMembers = this.settings.receiptMembers;
    const rows = await receiptsOfGroup.query(this.pool, { conversationId, maxMembers });
    return rows.map(({ account, seq, hidden_from }) => ({
      receipt: { username: account, seq: Number(seq) },
      hiddenFrom: hidden_from,
    }));
  }
}
