import { Controller, Get, UseGuards } from '@nestjs/common';
import { friendRequest, friendsList, type FriendRequest, type FriendsList } from '@waggle/contracts';
import { Answers } from '../api-description/answers';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { FriendshipsService } from './friendships.service';

@Controller('users')
@UseGuards(AccessGuard)
export class RelationsController {
  constructor(private readonly friendships: FriendshipsService) {}

  @Get('friends')
  @Answers(friendsList, { summary: 'The friends of the caller, and whom the caller blocks' })
  listFriends(@Caller() caller: string): Promise<FriendsList> {
    return this.friendships.listFriends(caller);
  }

  @Get('friend-requests')
  @Answers([friendRequest], { summary: 'The friend requests that wait for the caller, the oldest first' })
  listRequests(@Caller() caller: string): Promise<FriendRequest[]> {
    return this.friendships.listRequests(caller);
  }
}
