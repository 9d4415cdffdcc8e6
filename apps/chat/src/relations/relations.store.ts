import { Inject, Injectable } from '@nestjs/common';
import { accountName, maxInstantMs, type FriendRequest, type FriendsList } from '@waggle/contracts';
import { POOL, type RowOf, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { z } from 'zod';
import { cursorTime, decodeCursor, encodeCursor, timeCursor, type Page } from '../lists/page';
import { type FriendRequestRow } from './locked-pair';
import { requestColumns } from './locked-pair.statements';
import { friendRequestTable } from './friend-request.entity';
import { friendshipTable } from './friendship.entity';

/** Maximum number of friend requests in a page: 330 KB. Reading 1 MiB of them took 80 ms of processor time. */
export const maxRequestsPerPage = 5_000;

/**
 * Maximum number of friends in a page, and of blocked accounts in addition: 190 KB. With twice as many, an account that
 * requests pages as fast as it may made the 99th percentile of other clients 2.4 times as long.
 */
export const maxRelationsPerPage = 5_000;

/** A cursor of friends and of blocked accounts: time and account of each; the account is empty if none are left. */
const timeAndAccount = [cursorTime, accountName.or(z.literal(''))] as const;
const relationsPosition = z.tuple([...timeAndAccount, ...timeAndAccount]);

const friendRequest = new Statement({
  name: 'friend-request',
  text: 'SELECT id, requester, addressee FROM friend_request WHERE id = $1',
  parameters: { id: friendRequestTable.id },
  columns: requestColumns,
});

const requestsToAccount = new Statement({
  name: 'friend-requests-to-account',
  text: `
    SELECT id, requester AS username, created_at FROM friend_request
    WHERE addressee = $1 AND (created_at, id) < ($2, $3)
    ORDER BY created_at DESC, id DESC LIMIT ${maxRequestsPerPage + 1}`,
  parameters: {
    addressee: friendRequestTable.addressee,
    before: friendRequestTable.createdAt,
    beforeId: friendRequestTable.id,
  },
  columns: {
    id: friendRequestTable.id,
    username: friendRequestTable.requester,
    created_at: friendRequestTable.createdAt,
  },
});

const newestFirst = `ORDER BY created_at DESC, account DESC LIMIT ${maxRelationsPerPage + 1}`;

/**
 * SQL for one row with a page of the relations of an account: from the position `$2`, `$3` on, the newest first. The
 * names are one text, since reading 10,000 rows takes 20 times as long.
 *
 * @param relations SELECTs that each read an index in order. One SELECT for both sides of a friendship sorted all
 * 100,000 friends of an account for each page: 185 instead of 7 ms.
 */
function newestOf(...relations: string[]): string {
  const pages = relations.map(
    (relation) => `(SELECT * FROM (${relation}) relation WHERE (created_at, account) <= ($2, $3) ${newestFirst})`,
  );
  return `
  SELECT string_agg(account, ' ') AS accounts, min(created_at) AS created_at
  FROM (
    SELECT * FROM (
      ${pages.join(' UNION ALL ')}
    ) merged ${newestFirst}
  ) newest`;
}

const newestParameters = {
  account: friendshipTable.first,
  from: friendshipTable.createdAt,
  fromAccount: friendshipTable.second,
};

/** The columns of `newestOf`: null if there are no relations. */
const newestColumns = {
  /** The names, separated by spaces, the newest first; if there is a next page, also its first name. */
  accounts: sql.nullable(sql.text),
  /** The creation time of the oldest of these relations. */
  created_at: sql.nullable(friendshipTable.createdAt),
};

const newestFriends = new Statement({
  name: 'newest-friends',
  text: newestOf(
    'SELECT second AS account, created_at FROM friendship WHERE first = $1',
    'SELECT first AS account, created_at FROM friendship WHERE second = $1',
  ),
  parameters: newestParameters,
  columns: newestColumns,
});

const newestBlocks = new Statement({
  name: 'newest-blocks',
  text: newestOf('SELECT blocked AS account, created_at FROM block WHERE blocker = $1'),
  parameters: newestParameters,
  columns: newestColumns,
});

/**
 * Reads the relations between accounts; `LockedPair` changes them. The first page of a list has the newest; within a
 * page the oldest comes first.
 */
@Injectable()
export class RelationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Returns a pending request. */
  findRequest(id: string): Promise<FriendRequestRow | undefined> {
    return friendRequest.find(this.pool, { id });
  }

  /** Returns a page of the pending requests to an account. */
  async listRequests(addressee: string, cursor: string | undefined): Promise<Page<FriendRequest>> {
    const [beforeMs, beforeId] = cursor === undefined ? [maxInstantMs, ''] : decodeCursor(cursor, timeCursor);
    const rows = await requestsToAccount.query(this.pool, { addressee, before: new Date(beforeMs), beforeId });
    const newest = rows.slice(0, maxRequestsPerPage);
    const oldest = rows.length > maxRequestsPerPage ? newest.at(-1) : undefined;
    return {
      items: newest.map(({ id, username }) => ({ id, username })).reverse(),
      next: oldest && encodeCursor([oldest.created_at.getTime(), oldest.id]),
    };
  }

  /** Returns a page of friends and blocked accounts. */
  async listFriends(
    account: string,
    cursor: string | undefined,
  ): Promise<{ items: FriendsList; next: string | undefined }> {
    const [friendMs, friend, blockedMs, blocked] =
      cursor === undefined ? [maxInstantMs, '', maxInstantMs, ''] : decodeCursor(cursor, relationsPosition);
    const from = (ms: number, fromAccount: string) => ({ account, from: new Date(ms), fromAccount });
    const friends = pageOf(await newestFriends.find(this.pool, from(friendMs, friend)));
    const blocks = pageOf(await newestBlocks.find(this.pool, from(blockedMs, blocked)));
    const isContinued = friends.next !== undefined || blocks.next !== undefined;
    return {
      items: { friends: friends.names, blocked: blocks.names },
      next: isContinued ? encodeCursor([...(friends.next ?? beforeAll), ...(blocks.next ?? beforeAll)]) : undefined,
    };
  }
}

/** A position in front of all relations. */
const beforeAll = [0, ''] as const;

/** Returns the names, the oldest first, and the position of the first relation of the next page, if there is one. */
function pageOf(newest: RowOf<typeof newestColumns> | undefined): { names: string[]; next?: [number, string] } {
  if (!newest?.accounts || !newest.created_at) return { names: [] };
  const names = newest.accounts.split(' ');
  const [nextName] = names.splice(maxRelationsPerPage);
  names.reverse();
  return nextName === undefined ? { names } : { names, next: [newest.created_at.getTime(), nextName] };
}
