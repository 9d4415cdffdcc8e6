import { Body, Controller, Get, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  channelBody,
  conversation,
  maxConversations,
  createdChannel,
  pageQuery,
  type ChannelBody,
  type Conversation,
  type CreatedChannel,
  type PageQuery,
} from '@waggle/contracts';
import { NextPageLink, type WithNextLink } from '@waggle/service';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { maxPageSize } from '../lists/page';
import { ConversationCreation } from './conversation-creation';
import { ConversationsStore } from './conversations.store';
import { QueueListReads } from '../sessions/queue-list-reads.interceptor';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ChangeLimitGuard } from '../sessions/change-limit.guard';

/** Lists and creates channels. Channels are changed over the WebSocket, like groups. */
@Controller('users/channels')
@UseGuards(AccessGuard)
export class ChannelsController {
  constructor(
    private readonly creation: ConversationCreation,
    private readonly store: ConversationsStore,
  ) {}

  /** Returns the channels that the caller created. */
  @Get()
  @UseInterceptors(QueueListReads)
  @RespondsWith([conversation], {
    summary: 'The newest channels of the caller, oldest first',
    description: `A page has at most ${maxConversations} channels and ${maxPageSize}. \`Link\` leads to older ones.`,
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async list(
    @Caller() caller: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<Conversation[]> {
    return withNextLink(await this.store.listChannelsOf(caller, cursor));
  }

  @Post()
  @UseGuards(ChangeLimitGuard)
  @RespondsWith(createdChannel, { summary: 'Creates a channel', status: 201, errors: ['invalid-request'] })
  async create(@Caller() caller: string, @Body({ schema: channelBody }) body: ChannelBody): Promise<CreatedChannel> {
    return { id: await this.creation.createChannel(caller, body.name), name: body.name, creator: caller };
  }
}
