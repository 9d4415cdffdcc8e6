import { type DynamicModule, Module } from '@nestjs/common';
import { ExportReads } from './export-reads';
import { READ_SETTINGS, type ReadSettings } from './read-settings';
import { SharedReads } from './shared-reads';

/** The two ways to read besides the pool. */
@Module({})
export class ReadsModule {
  static forRoot(settings: ReadSettings): DynamicModule {
    return {
      module: ReadsModule,
      global: true,
      providers: [{ provide: READ_SETTINGS, useValue: settings }, SharedReads, ExportReads],
      exports: [SharedReads, ExportReads],
    };
  }
}
