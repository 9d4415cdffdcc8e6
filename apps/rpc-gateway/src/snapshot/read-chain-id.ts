import { type HiveNodes } from '@waggle/chain';
import { z } from 'zod';
import { SnapshotError } from './snapshot-error';

const version = z.object({ chain_id: z.string().regex(/^[0-9a-f]{64}$/) });

/** Reads the id of the chain from all nodes. @throws SnapshotError if they are of different chains */
export async function readChainId(hive: HiveNodes): Promise<string> {
  const versions = await hive.callWorkingNodes('database_api.get_version', {}, version);
  const ids = [...new Set(versions.map(({ value }) => value.chain_id))];
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  const claims = versions.map(({ node, value }) => `${node}: ${value.chain_id}`);
  throw new SnapshotError('other-chain', `The Hive nodes are of different chains: ${claims.join(', ')}`);
}
