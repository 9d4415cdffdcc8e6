import { storable } from '@waggle/service';
import { z } from 'zod';
import { type Account } from '../changeset/accounts';

const profiled = z.object({
  profile: z.object({ blacklist_description: z.unknown().optional(), muted_list_description: z.unknown().optional() }),
});

/** In characters. As on public gateways, longer descriptions are shortened. */
const maxDescriptionLength = 256;

export interface AccountMetadata {
  readonly json_metadata?: string | undefined;
  readonly posting_json_metadata?: string | undefined;
}

/** Returns the columns of an account that metadata change. As on the chain, empty or missing metadata leave the stored ones as they are. */
export function metadataChanges({
  json_metadata: json,
  posting_json_metadata: posting,
}: AccountMetadata): Partial<Account> {
  let changes: Partial<Account> = {};
  if (json) {
    const { blacklist = null, mutedList = null } = findDescriptions(json) ?? {};
    changes = { blacklistDescription: blacklist, mutedListDescription: mutedList };
  }
  if (posting) {
    const found = findDescriptions(posting);
    const { blacklist = null, mutedList = null } = found ?? {};
    changes = {
      ...changes,
      hasPostingProfile: found !== undefined,
      postingBlacklistDescription: blacklist,
      postingMutedListDescription: mutedList,
    };
  }
  return changes;
}

interface Descriptions {
  readonly blacklist: string | null;
  readonly mutedList: string | null;
}

/** @returns undefined for metadata without a profile. Most have none, and need no parsing. */
function findDescriptions(json: string): Descriptions | undefined {
  if (!json.includes('"profile"')) return undefined;
  const { data } = profiled.safeParse(parsed(json));
  if (data === undefined) return undefined;
  return {
    blacklist: textOf(data.profile.blacklist_description),
    mutedList: textOf(data.profile.muted_list_description),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const characters = Array.from(storable(value));
  const isLong = characters.length > maxDescriptionLength;
  return isLong ? `${characters.slice(0, maxDescriptionLength - 3).join('')}...` : characters.join('');
}
