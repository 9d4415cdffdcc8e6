import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  friendRequest,
  friendsList,
  pageQuery,
  type FriendRequest,
  type FriendsList,
  type PageQuery,
} from '@waggle/contracts';
import { NextPageLink, type WithNextLink } from '@waggle/service';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { QueueListReads } from '../sessions/queue-list-reads.interceptor';
import { maxRelationsPerPage, maxRequestsPerPage, RelationsStore } from './relations.store';

/** Describes a list of `RelationsStore`. */
const describeList = (summary: string) =>
  ({
    summary,
    description: 'The first page has the newest; within a page the oldest comes first.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  }) as const;

/** Lists friends, blocked accounts and friend requests. */
@Controller('users')
@UseGuards(AccessGuard)
@UseInterceptors(QueueListReads)
export class RelationsController {
  constructor(private readonly store: RelationsStore) {}

  @Get('friends')
  @RespondsWith(
    friendsList,
    describeList(
      `Friends of the caller and accounts that the caller blocks, at most ${maxRelationsPerPage} each per page`,
    ),
  )
  async listFriends(
    @Caller() caller: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<FriendsList> {
    return withNextLink(await this.store.listFriends(caller, cursor));
  }

  @Get('friend-requests')
  @RespondsWith(
    [friendRequest],
    describeList(`Pending friend requests to the caller, at most ${maxRequestsPerPage} per page`),
  )
  async listRequests(
    @Caller() caller: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<FriendRequest[]> {
    return withNextLink(await this.store.listRequests(caller, cursor));
  }
}
