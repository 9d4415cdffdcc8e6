import { type DynamicModule, Module } from '@nestjs/common';
import { ExportReads } from './export-reads';
import { READ_SETTINGS, type ReadSettings } from './read-settings';
import { SharedReads } from './shared-reads';

/** Provides two ways to read the database beside the pool: many small queries on shared connections, and exports. */
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
