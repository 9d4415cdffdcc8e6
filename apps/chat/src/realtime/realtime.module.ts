import { Module } from '@nestjs/common';
import { ChatGateway } from './chat.gateway';
import { Connections } from './connections';
import { Events } from './events';
import { FrameRouter } from './frame-router';
import { RealtimeMetrics } from './realtime.metrics';

@Module({
  providers: [ChatGateway, Connections, Events, FrameRouter, RealtimeMetrics],
  exports: [Connections, Events, FrameRouter],
})
export class RealtimeModule {}
