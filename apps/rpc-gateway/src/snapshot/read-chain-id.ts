import { type HiveNodes, nodeVersion, versionMethod } from '@waggle/chain';
import { SnapshotError } from './snapshot-error';

/** Reads the id of the chain from all nodes. @throws SnapshotError if they are of different chains */
export async function readChainId(hive: HiveNodes): Promise<string> {
  const versions = await hive.callWorkingNodes(versionMethod, {}, nodeVersion);
  const ids = [...new Set(versions.map(({ value }) => value.chain_id))];
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  const claims = versions.map(({ node, value }) => `${node}: ${value.chain_id}`);
  throw new SnapshotError('other-chain', `The Hive nodes are of different chains: ${claims.join(', ')}`);
}
