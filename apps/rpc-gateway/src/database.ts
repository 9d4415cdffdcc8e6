import { ChainCheckpointEntity, databaseOptions, migrate as migrateBy, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { chainEntities } from './chain-entities';
import { IndexDigestEntity } from './digests/index-digest.entity';
import { IndexStateEntity } from './index-state/index-state.entity';
import { CreateRpcGateway1795400000000 } from './migrations/1795400000000-create-rpc-gateway';
import { IndexPostContents1796800000000 } from './migrations/1796800000000-index-post-contents';
import { IndexPinnedComments1796900000000 } from './migrations/1796900000000-index-pinned-comments';
import { RankedPostEntity } from './posts/ranked-post.entity';
import { SnapshotRequestEntity } from './snapshot/snapshot-request.entity';

/** The database of both processes. */
export function gatewayDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'rpc-gateway',
    entities: [
      ...[ChainCheckpointEntity, IndexStateEntity, SnapshotRequestEntity, IndexDigestEntity],
      ...[...chainEntities, RankedPostEntity],
    ],
    migrations: [CreateRpcGateway1795400000000, IndexPostContents1796800000000, IndexPinnedComments1796900000000],
  });
}

/** Runs the pending migrations. @returns their names */
export function migrate(url: string): Promise<string[]> {
  return migrateBy(gatewayDatabase({ url, poolSize: 2, isMigration: true }));
}
