import { Module } from '@nestjs/common';
import { ChannelWatchers } from './channel-watchers';
import { ChatGateway } from './chat.gateway';
import { Connections } from './connections';
import { Events } from './events';
import { FrameRouter } from './frame-router';
import { RealtimeMetrics } from './realtime.metrics';

@Module({
  providers: [ChannelWatchers, ChatGateway, Connections, Events, FrameRouter, RealtimeMetrics],
  exports: [ChannelWatchers, Connections, Events, FrameRouter],
})
export class RealtimeModule {}
