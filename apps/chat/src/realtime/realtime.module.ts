import { Module } from '@nestjs/common';
import { ChatGateway } from './chat.gateway';
import { Connections } from './connections';
import { FramePumps } from './frame-pumps';
import { FrameRouter } from './frame-router';
import { RealtimeMetrics } from './realtime.metrics';

@Module({
  providers: [ChatGateway, Connections, FramePumps, FrameRouter, RealtimeMetrics],
  exports: [Connections, FrameRouter, RealtimeMetrics],
})
export class RealtimeModule {}
