import { type FollowerDatabase } from '@waggle/chain';
import { isDatabaseUnavailable } from '../database/faults';
import { isPooled } from '../database/limits';

/** @param url of PostgreSQL itself, not of a pooler */
export function followerDatabase(url: string): FollowerDatabase {
  return { url, isUnavailable: isDatabaseUnavailable, isPooled };
}
