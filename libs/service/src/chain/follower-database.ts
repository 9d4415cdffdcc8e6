import { type FollowerDatabase } from '@waggle/chain';
import { isDatabaseUnavailable } from '../database/database-errors';
import { isPooled } from '../database/server-timeouts';

/** @param url of PostgreSQL itself, not of a pooler */
export function followerDatabase(url: string): FollowerDatabase {
  return { url, isUnavailable: isDatabaseUnavailable, isPooled };
}
