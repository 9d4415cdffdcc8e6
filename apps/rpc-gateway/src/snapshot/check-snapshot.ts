import { isDeepStrictEqual } from 'node:util';
import { confirmBlock, type HiveNodes } from '@waggle/chain';
import { z } from 'zod';
import { createManifest } from './digest';
import {
  formatName,
  formatVersion,
  manifest as manifestSchema,
  type Manifest,
  schemaVersion,
  type Section,
  sectionHead,
  snapshotHead,
  type SnapshotHead,
} from './manifest';
import { readChainId } from './read-chain-id';
import { SnapshotError } from './snapshot-error';

const anyVersion = z.object({ format: z.literal(formatName), version: z.number(), schema: z.string() });

/**
 * Reads the first line of a snapshot.
 *
 * @throws SnapshotError if this is no snapshot, or one that this version cannot read
 */
export function parseHead(json: unknown): SnapshotHead {
  const claimed = anyVersion.safeParse(json);
  if (!claimed.success) throw new SnapshotError('not-a-snapshot', 'This is not a snapshot of a gateway');
  const { version, schema } = claimed.data;
  if (version !== formatVersion)
    throw new SnapshotError('other-version', `The snapshot has format ${version}; this version reads ${formatVersion}`);
  if (schema !== schemaVersion)
    throw new SnapshotError('other-schema', `The snapshot has schema ${schema}; this version needs ${schemaVersion}`);
  const { data } = snapshotHead.safeParse(json);
  if (data === undefined) throw new SnapshotError('altered', 'The snapshot is altered: its first line is invalid');
  return data;
}

/**
 * Confirms that the snapshot is of the nodes' chain.
 *
 * @throws SnapshotError if the nodes are of another chain or do not confirm the block; HiveNodesUnavailableError if
 * none reports its chain id
 */
export async function confirmChain({ chain_id: chainId, block }: SnapshotHead, hive: HiveNodes): Promise<void> {
  const ofNodes = await readChainId(hive);
  if (chainId !== ofNodes)
    throw new SnapshotError('other-chain', `The snapshot is of chain ${chainId}; the Hive nodes are of ${ofNodes}`);
  try {
    await confirmBlock(hive, block, { idsAreHashes: false, hasProducerRewards: false });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new SnapshotError(
      'other-chain',
      `The Hive nodes do not confirm block ${block.number} (${block.id}): ${reason}`,
      error,
    );
  }
}

/** Checks the line before the rows of a table. @throws SnapshotError if the next section is not of this table */
export function checkSectionHead(json: unknown, expected: z.infer<typeof sectionHead>): void {
  const { data } = sectionHead.safeParse(json);
  if (!isDeepStrictEqual(data, expected))
    throw new SnapshotError(
      'altered',
      `The snapshot is altered: the section of the table ${expected.table} is missing`,
    );
}

/**
 * Checks the last line of a snapshot.
 *
 * @throws SnapshotError if anything that was read does not match its digest in the manifest, or the digest is not the
 * expected one
 */
export function checkManifest(
  json: unknown,
  {
    head,
    sections,
    expectedDigest,
  }: { head: SnapshotHead; sections: readonly Section[]; expectedDigest?: string | undefined },
): Manifest {
  const { data } = manifestSchema.safeParse(json);
  if (data === undefined) throw new SnapshotError('altered', 'The snapshot is altered: its last line is invalid');
  for (const [index, section] of sections.entries()) {
    if (!isDeepStrictEqual(data.sections[index], section))
      throw new SnapshotError(
        'altered',
        `The snapshot is altered: the rows of ${section.table} do not match their digest`,
      );
  }
  if (!isDeepStrictEqual(data, createManifest(head, sections, data.chain)))
    throw new SnapshotError('altered', 'The snapshot is altered: its total digest does not match');
  if (expectedDigest !== undefined && expectedDigest !== data.digest)
    throw new SnapshotError('other-digest', `The snapshot has the digest ${data.digest} instead of ${expectedDigest}`);
  return data;
}
