import { databaseOptions, migrate as migrateBy, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { CreateChat1763700000000 } from './migrations/1763700000000-create-chat';
import { AddRelationsAndRoles1763800000000 } from './migrations/1763800000000-add-relations-and-roles';
import { AddStreams1763900000000 } from './migrations/1763900000000-add-streams';
import { PlanForGrowth1764000000000 } from './migrations/1764000000000-plan-for-growth';
import { KeepMarksOfGroups1764100000000 } from './migrations/1764100000000-keep-marks-of-groups';
import { TrustTheCreatorOfConversations1764200000000 } from './migrations/1764200000000-trust-the-creator-of-conversations';
import { KeepSigningKeys1764300000000 } from './migrations/1764300000000-keep-signing-keys';
import { PageLists1764400000000 } from './migrations/1764400000000-page-lists';
import { RememberWhoLeft1764500000000 } from './migrations/1764500000000-remember-who-left';
import { SubscribeByEntries1764700000000 } from './migrations/1764700000000-subscribe-by-entries';
import { SessionEntity } from './sessions/session.entity';
import { SettingEntity } from './settings/setting.entity';

/** The chat's database. */
export function chatDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'chat',
    entities: [SessionEntity, SettingEntity],
    migrations: [
      CreateChat1763700000000,
      AddRelationsAndRoles1763800000000,
      AddStreams1763900000000,
      PlanForGrowth1764000000000,
      KeepMarksOfGroups1764100000000,
      TrustTheCreatorOfConversations1764200000000,
      KeepSigningKeys1764300000000,
      PageLists1764400000000,
      RememberWhoLeft1764500000000,
      SubscribeByEntries1764700000000,
    ],
  });
}

/** Brings the schema up to date. @returns the names of the migrations that were run */
export function migrate(url: string): Promise<string[]> {
  return migrateBy(chatDatabase({ url, poolSize: 2, unhurried: true }));
}
