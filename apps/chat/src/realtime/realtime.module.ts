import { Module } from '@nestjs/common';
import { ChatGateway } from './chat.gateway';
import { Connections } from './connections';
import { FrameRouter } from './frame-router';
import { RealtimeMetrics } from './realtime.metrics';

/** Accepts WebSocket connections, and passes their frames to the handlers that features register. */
@Module({
  providers: [ChatGateway, Connections, FrameRouter, RealtimeMetrics],
  exports: [Connections, FrameRouter, RealtimeMetrics],
})
export class RealtimeModule {}
