import { Module } from '@nestjs/common';
import { RetentionMetrics } from './retention.metrics';
import { RetentionService } from './retention.service';
import { RetentionStore } from './retention.store';

/** Deletes expired rows. */
@Module({ providers: [RetentionMetrics, RetentionService, RetentionStore] })
export class RetentionModule {}
