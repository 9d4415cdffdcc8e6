import { Module } from '@nestjs/common';
import { RetentionService } from './retention.service';
import { RetentionStore } from './retention.store';

/** Deletes expired rows. */
@Module({ providers: [RetentionService, RetentionStore] })
export class RetentionModule {}
