import { storable } from '@waggle/service';
import { z } from 'zod';
import { type Account } from '../changeset/accounts';

const profiled = z.object({
  profile: z.object({ blacklist_description: z.unknown().optional(), muted_list_description: z.unknown().optional() }),
});

export interface AccountMetadata {
  readonly json_metadata?: string | undefined;
  readonly posting_json_metadata?: string | undefined;
}

/** Returns how metadata change an account. Once `posting_json_metadata` has had a profile, `json_metadata` is ignored. */
export function metadataChanges(metadata: AccountMetadata): (now: Account) => Partial<Account> {
  const posting = findDescriptions(metadata.posting_json_metadata);
  const active = findDescriptions(metadata.json_metadata);
  return ({ hasPostingProfile }) => {
    if (posting) return { ...posting, hasPostingProfile: true };
    return hasPostingProfile ? {} : (active ?? {});
  };
}

/** Whether metadata may contain a profile. Most do not, and need no parsing. */
export function mayHaveProfile(metadata: AccountMetadata): boolean {
  return Object.values(metadata).some((text) => typeof text === 'string' && text.includes('"profile"'));
}

function findDescriptions(json: string | undefined) {
  if (json === undefined || !json.includes('"profile"')) return undefined;
  const { data } = profiled.safeParse(parsed(json));
  if (data === undefined) return undefined;
  return {
    blacklistDescription: textOf(data.profile.blacklist_description),
    mutedListDescription: textOf(data.profile.muted_list_description),
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
  return typeof value === 'string' && value !== '' ? storable(value) : null;
}
