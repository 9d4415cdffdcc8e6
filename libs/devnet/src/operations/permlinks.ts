import { assertion } from '../errors';
import { textOf } from '../fields';

/** HIVE_MAX_PERMLINK_LENGTH of hived: a permlink has fewer bytes. */
const permlinkByteLimit = 256;

/** @throws NodeError if it is too long. */
export function parsePermlink(value: unknown): string {
  const permlink = textOf(value);
  if (Buffer.byteLength(permlink) < permlinkByteLimit) return permlink;
  throw assertion('permlink.size() < HIVE_MAX_PERMLINK_LENGTH', 'permlink is too long');
}

/**
 * Checks a permlink of a new comment. Comments from before the first hardfork may break this rule. @throws NodeError
 */
export function checkNewPermlink(permlink: string): void {
  if (permlink === '') throw assertion('permlink.size() > HIVE_MIN_PERMLINK_LENGTH', 'Permlink is not a valid size.');
  const [wrong] = /[^a-z0-9-]/u.exec(permlink) ?? [];
  if (wrong !== undefined) throw assertion('false', 'Invalid permlink character: ${s}', { s: wrong });
}
