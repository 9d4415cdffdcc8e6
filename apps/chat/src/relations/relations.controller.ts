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
import { ListReadsInterceptor } from '../sessions/list-reads.interceptor';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { maxRelations, maxRequests, RelationsStore } from './relations.store';

@Controller('users')
@UseGuards(AccessGuard)
@UseInterceptors(ListReadsInterceptor)
export class RelationsController {
  constructor(private readonly store: RelationsStore) {}

  @Get('friends')
  @RespondsWith(friendsList, {
    summary: `The newest friends of the caller and the accounts that the caller blocked last, at most ${maxRelations} each`,
    description: 'The oldest of them first. The next page has older ones.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async listFriends(
    @Caller() caller: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<FriendsList> {
    return withNextLink(await this.store.listFriends(caller, cursor));
  }

  @Get('friend-requests')
  @RespondsWith([friendRequest], {
    summary: `The newest pending friend requests to the caller, at most ${maxRequests}, the oldest of them first`,
    description: 'The next page has older ones.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async listRequests(
    @Caller() caller: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<FriendRequest[]> {
    return withNextLink(await this.store.listRequests(caller, cursor));
  }
}
