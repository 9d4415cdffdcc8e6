import { Body, Controller, Get, Inject, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
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
import { AnnounceNextPage, type NextPage } from '@waggle/service';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { CONVERSATION_SETTINGS, type ConversationSettings } from '../membership/conversation-settings';
import { ConversationCreation } from './conversation-creation';
import { ConversationsStore } from './conversations.store';
import { ChatError } from '../errors';
import { ListReadsInterceptor } from '../sessions/list-reads.interceptor';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ChangeLimitGuard } from '../sessions/change-limit.guard';

/**
 * Lists and creates channels, which any account may read and write. Other changes of them are frames, as for groups.
 */
@Controller('users/channels')
@UseGuards(AccessGuard)
export class ChannelsController {
  constructor(
    private readonly conversationCreation: ConversationCreation,
    private readonly store: ConversationsStore,
    @Inject(CONVERSATION_SETTINGS) private readonly settings: ConversationSettings,
  ) {}

  /** Returns the channels that the caller created. */
  @Get()
  @UseInterceptors(ListReadsInterceptor)
  @RespondsWith([conversation], {
    summary: `The channels that the caller created: the newest ${maxConversations} of at most 512 KiB, in the order of their creation`,
    description: 'The next page has older ones.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async list(
    @Caller() caller: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @AnnounceNextPage() announce: NextPage,
  ): Promise<Conversation[]> {
    return announce(await this.store.listChannelsOf(caller, cursor));
  }

  @Post()
  @UseGuards(ChangeLimitGuard)
  @RespondsWith(createdChannel, { summary: 'Creates a channel', status: 201, errors: ['invalid-request'] })
  async create(@Caller() caller: string, @Body({ schema: channelBody }) body: ChannelBody): Promise<CreatedChannel> {
    const max = this.settings.limits.nameCharacters;
    if (Array.from(body.name).length > max) {
      throw new ChatError('invalid-request', `name: must have at most ${max} characters`);
    }
    return { id: await this.conversationCreation.createChannel(caller, body.name), name: body.name, creator: caller };
  }
}
