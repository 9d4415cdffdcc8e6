import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger, poolOf, type Registry, type ResponseLimits } from '@waggle/service';
import { DataSource } from 'typeorm';
import { type IndexView } from '../index-state/index-view';
import { type DispatcherOptions, EventDispatcher } from './event-dispatcher';
import { EventsController } from './events.controller';
import { EventMetrics } from './events.metrics';
import { EventsService } from './events.service';
import { EventStore } from './events.store';
import { StreamLimits, type StreamLimitOptions } from './stream-limits';

export type EventSettings = DispatcherOptions & StreamLimitOptions;

export interface EventsContext {
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly responseLimits: ResponseLimits;
  /** Returns the index as of now. */
  readonly index: () => IndexView;
}

/** Serves `GET /events`, on the application's data source. */
@Module({})
export class EventsModule {
  static forRoot(settings: EventSettings, { logger, metrics, responseLimits, index }: EventsContext): DynamicModule {
    return {
      module: EventsModule,
      controllers: [EventsController],
      providers: [
        { provide: EventMetrics, useFactory: () => new EventMetrics(metrics) },
        { provide: StreamLimits, useFactory: () => new StreamLimits(settings) },
        {
          provide: EventDispatcher,
          inject: [DataSource, EventMetrics],
          useFactory: (dataSource: DataSource, eventMetrics: EventMetrics) =>
            new EventDispatcher(new EventStore(poolOf(dataSource)), eventMetrics, logger, settings),
        },
        {
          provide: EventsService,
          inject: [EventDispatcher, StreamLimits, EventMetrics],
          useFactory: (dispatcher: EventDispatcher, limits: StreamLimits, eventMetrics: EventMetrics) =>
            new EventsService(dispatcher, limits, responseLimits, eventMetrics, index),
        },
      ],
    };
  }
}
