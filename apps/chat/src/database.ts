import { databaseOptions, migrate as runMigrations, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { CreateChat1795400000000 } from './migrations/1795400000000-create-chat';
import { SessionEntity } from './sessions/session.entity';

/** The chat's database. */
export function chatDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'chat',
    entities: [SessionEntity],
    migrations: [CreateChat1795400000000],
  });
}

/** Brings the schema up to date. @returns the names of the migrations that were run */
export function migrate(url: string): Promise<string[]> {
  return runMigrations(chatDatabase({ url, poolSize: 2, isMigration: true }));
}
