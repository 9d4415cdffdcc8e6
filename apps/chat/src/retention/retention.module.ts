import { type DynamicModule, Module } from '@nestjs/common';
import { RETENTION_SETTINGS, RetentionService, type RetentionSettings } from './retention.service';
import { RetentionStore } from './retention.store';

/** Deletes expired rows. */
@Module({})
export class RetentionModule {
  static forRoot(settings: RetentionSettings): DynamicModule {
    return {
      module: RetentionModule,
      providers: [{ provide: RETENTION_SETTINGS, useValue: settings }, RetentionService, RetentionStore],
    };
  }
}
