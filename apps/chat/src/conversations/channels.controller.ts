import { Body, Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import {
  channelBody,
  conversation,
  createdChannel,
  type ChannelBody,
  type Conversation,
  type CreatedChannel,
} from '@waggle/contracts';
import { Answers } from '../api-description/answers';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ConversationCreator } from './conversation-creator';
import { ConversationsStore } from './conversations.store';
import { ChatError } from '../errors';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ChangeLimitGuard } from '../sessions/change-limit.guard';

/** Channels, which anybody may read and write; what else is done to them is done as to groups. */
@Controller('users/channels')
@UseGuards(AccessGuard)
export class ChannelsController {
  constructor(
    private readonly creator: ConversationCreator,
    private readonly store: ConversationsStore,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** The channels that the caller has created. */
  @Get()
  @Answers([conversation], { summary: 'The channels that the caller created' })
  list(@Caller() caller: string): Promise<Conversation[]> {
    return this.store.listChannelsOf(caller);
  }

  @Post()
  @UseGuards(ChangeLimitGuard)
  @Answers(createdChannel, { summary: 'Creates a channel', status: 201, errors: ['invalid-request'] })
  async create(@Caller() caller: string, @Body({ schema: channelBody }) body: ChannelBody): Promise<CreatedChannel> {
    const most = this.config.limits.nameCharacters;
    if (Array.from(body.name).length > most) {
      throw new ChatError('invalid-request', `name: must have at most ${most} characters`);
    }
    return { id: await this.creator.createChannel(caller, body.name), name: body.name, creator: caller };
  }
}
