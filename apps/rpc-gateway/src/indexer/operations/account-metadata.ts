import { toStorableText } from '../../storable-text';
import { findProfile } from '../../accounts/profile';
import { type Account } from '../changeset/accounts';

/** Maximum length of a description, in characters. Like public gateways, the index shortens longer ones. */
const maxDescriptionLength = 256;

export interface AccountMetadata {
  readonly json_metadata?: string | undefined;
  readonly posting_json_metadata?: string | undefined;
}

/**
 * Returns the columns of an account that metadata change. As on the chain, empty or missing metadata leave the stored
 * ones as they are.
 */
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

/**
 * Returns the descriptions in the profile; undefined for metadata without a profile. Most have none, and need no
 * parsing.
 */
function findDescriptions(json: string): Descriptions | undefined {
  const profile = json.includes('"profile"') ? findProfile(json) : undefined;
  if (profile === undefined) return undefined;
  const { blacklist_description: blacklist, muted_list_description: mutedList } = profile;
  return { blacklist: textOf(blacklist), mutedList: textOf(mutedList) };
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const characters = Array.from(toStorableText(value));
  const isLong = characters.length > maxDescriptionLength;
  return isLong ? `${characters.slice(0, maxDescriptionLength - 3).join('')}...` : characters.join('');
}
