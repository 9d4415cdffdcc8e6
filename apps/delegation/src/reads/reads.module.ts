import { type DynamicModule, Module } from '@nestjs/common';
import { POOL, poolOf } from '@waggle/service';
import { DataSource } from 'typeorm';
import { ExportReads } from './export-reads';
import { READ_SETTINGS, type ReadSettings } from './read-settings';
import { SharedReads } from './shared-reads';

/** The pool, and the two ways to read besides it. */
@Module({})
export class ReadsModule {
  static forRoot(settings: ReadSettings): DynamicModule {
    return {
      module: ReadsModule,
      global: true,
      providers: [
        { provide: READ_SETTINGS, useValue: settings },
        { provide: POOL, inject: [DataSource], useFactory: poolOf },
        SharedReads,
        ExportReads,
      ],
      exports: [POOL, SharedReads, ExportReads],
    };
  }
}
