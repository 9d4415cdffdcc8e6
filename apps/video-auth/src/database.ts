import { databaseOptions, migrate as migrateBy, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { CreateVideoAuth1795400000000 } from './migrations/1795400000000-create-video-auth';
import { SessionEntity } from './sessions/session.entity';

/** The database of the video log-in. */
export function videoAuthDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'video-auth',
    entities: [SessionEntity],
    migrations: [CreateVideoAuth1795400000000],
  });
}

/** Brings the schema up to date. @returns the names of the migrations that were run */
export function migrate(url: string): Promise<string[]> {
  return migrateBy(videoAuthDatabase({ url, poolSize: 2, isMigration: true }));
}
