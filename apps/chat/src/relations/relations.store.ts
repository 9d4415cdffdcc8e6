import { Inject, Injectable } from '@nestjs/common';
import { accountName, identifier, type FriendRequest, type FriendsList } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { z } from 'zod';
import { accountBytes, friendRequestBytes } from '../lists/json-bytes';
import { cursorMs, decodeCursor, encodeCursor, latestMs } from '../lists/cursors';
import { maxRowsOf, type Page } from '../lists/page';
import { type FriendRequestRow } from './locked-pair';

/** Most friend requests in a page. */
export const maxRequests = maxRowsOf(friendRequestBytes);

/** Most friends in a page, and most blocked accounts beside them. */
export const maxRelations = maxRowsOf(2 * accountBytes);

/** A cursor of friend requests: time and id. */
const requestPosition = z.tuple([cursorMs, identifier]);

/** A cursor of friends and of blocked accounts: time and account of each; the account is empty where none are left. */
const relationPosition = [cursorMs, accountName.or(z.literal(''))] as const;
const relationsPosition = z.tuple([...relationPosition, ...relationPosition]);

/** Reads what is between accounts; `LockedPair` changes it. */
@Injectable()
export class RelationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async findRequest(id: string): Promise<FriendRequestRow | undefined> {
    const { rows } = await this.pool.query<FriendRequestRow>(
      'SELECT id, requester, addressee FROM friend_request WHERE id = $1',
      [id],
    );
    return rows[0];
  }

  /** The newest requests that wait for the account's answer, the oldest of them first; the next page has older ones. */
  async listRequests(addressee: string, cursor: string | undefined): Promise<Page<FriendRequest>> {
    const [beforeMs, beforeId] = cursor === undefined ? [latestMs, ''] : decodeCursor(cursor, requestPosition);
    const { rows } = await this.pool.query<FriendRequest & { created_at: Date }>(
      `SELECT id, requester AS username, created_at FROM friend_request
       WHERE addressee = $1 AND (created_at, id) < ($2, $3)
       ORDER BY created_at DESC, id DESC LIMIT ${maxRequests + 1}`,
      [addressee, new Date(beforeMs), beforeId],
    );
    const newest = rows.slice(0, maxRequests);
    const oldest = rows.length > maxRequests ? newest.at(-1) : undefined;
    return {
      items: newest.map(({ id, username }) => ({ id, username })).reverse(),
      next: oldest && encodeCursor([oldest.created_at.getTime(), oldest.id]),
    };
  }

  /** The newest friends, and the newest of those that the account blocks, the oldest of them first; the next page has older ones. */
  async listFriends(
    account: string,
    cursor: string | undefined,
  ): Promise<{ list: FriendsList; next: string | undefined }> {
    const [friendMs, friend, blockedMs, blocked] =
      cursor === undefined ? [latestMs, '', latestMs, ''] : decodeCursor(cursor, relationsPosition);
    const friends = await this.pool.query<RelationRow>(
      `SELECT account, created_at
       FROM (SELECT CASE first WHEN $1 THEN second ELSE first END AS account, created_at
             FROM friendship WHERE first = $1 OR second = $1) friend
       WHERE (created_at, account) < ($2, $3)
       ORDER BY created_at DESC, account DESC LIMIT ${maxRelations + 1}`,
      [account, new Date(friendMs), friend],
    );
    const blocks = await this.pool.query<RelationRow>(
      `SELECT blocked AS account, created_at FROM block
       WHERE blocker = $1 AND (created_at, blocked) < ($2, $3)
       ORDER BY created_at DESC, blocked DESC LIMIT ${maxRelations + 1}`,
      [account, new Date(blockedMs), blocked],
    );
    const hasNext = friends.rows.length > maxRelations || blocks.rows.length > maxRelations;
    return {
      list: { friends: namesOf(friends.rows), blocked: namesOf(blocks.rows) },
      next: hasNext ? encodeCursor([...positionAfter(friends.rows), ...positionAfter(blocks.rows)]) : undefined,
    };
  }
}

interface RelationRow {
  account: string;
  created_at: Date;
}

function namesOf(rows: readonly RelationRow[]): string[] {
  return rows
    .slice(0, maxRelations)
    .map(({ account }) => account)
    .reverse();
}

/** Before any relation, if there are no further ones. */
function positionAfter(rows: readonly RelationRow[]): [number, string] {
  const last = rows.length > maxRelations ? rows[maxRelations - 1] : undefined;
  return last === undefined ? [0, ''] : [last.created_at.getTime(), last.account];
}
