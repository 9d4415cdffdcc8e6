import { Module } from '@nestjs/common';
import { ChatGateway } from './chat.gateway';
import { Connections } from './connections';
import { FrameRouter } from './frame-router';
import { RealtimeMetrics } from './realtime.metrics';

@Module({
  providers: [ChatGateway, Connections, FrameRouter, RealtimeMetrics],
  exports: [Connections, FrameRouter, RealtimeMetrics],
})
export class RealtimeModule {}
