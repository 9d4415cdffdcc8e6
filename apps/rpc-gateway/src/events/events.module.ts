import { type DynamicModule, Module } from '@nestjs/common';
import { Platform, POOL, ResponseLimits } from '@waggle/service';
import { type Pool } from 'pg';
import { IndexStatus } from '../index-state/index-status';
import { type DispatcherOptions, EventDispatcher } from './event-dispatcher';
import { EventsController } from './events.controller';
import { EventMetrics } from './events.metrics';
import { EventsService } from './events.service';
import { EventStore } from './events.store';
import { StreamLimits, type StreamLimitOptions } from './stream-limits';

export type EventSettings = DispatcherOptions & StreamLimitOptions;

/** Serves `GET /events`. */
@Module({})
export class EventsModule {
  static forRoot(settings: EventSettings): DynamicModule {
    return {
      module: EventsModule,
      controllers: [EventsController],
      providers: [
        { provide: EventMetrics, inject: [Platform], useFactory: ({ metrics }: Platform) => new EventMetrics(metrics) },
        { provide: StreamLimits, useFactory: () => new StreamLimits(settings) },
        {
          provide: EventDispatcher,
          inject: [POOL, EventMetrics, Platform],
          useFactory: (pool: Pool, metrics: EventMetrics, { logger }: Platform) =>
            new EventDispatcher(new EventStore(pool), metrics, logger, settings),
        },
        {
          provide: EventsService,
          inject: [EventDispatcher, StreamLimits, ResponseLimits, EventMetrics, IndexStatus],
          useFactory: (
            dispatcher: EventDispatcher,
            limits: StreamLimits,
            responseLimits: ResponseLimits,
            metrics: EventMetrics,
            index: IndexStatus,
          ) => new EventsService(dispatcher, limits, responseLimits, metrics, () => index.view),
        },
      ],
    };
  }
}
