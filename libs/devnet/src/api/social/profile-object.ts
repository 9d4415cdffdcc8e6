import { type Account } from '../../state/account';
import { isFields } from '../../fields';
import { reputationScore } from '../../state/reputation';
import { metadataOf } from './post-object';

const profileFields = [
  'name',
  'about',
  'website',
  'location',
  'cover_image',
  'profile_image',
  'blacklist_description',
  'muted_list_description',
] as const;

/** An account as `bridge` writes it. Follows are not implemented, so the counts are 0. */
export function profileObject(account: Account): object {
  const { created, lastAccountUpdate, activity } = account;
  const times = [created, lastAccountUpdate, activity.lastPost, activity.lastVote];
  return {
    id: account.id,
    name: account.name,
    created,
    active: times.reduce((latest, time) => (time > latest ? time : latest)),
    post_count: activity.postCount,
    reputation: reputationScore(account.reputation),
    blacklists: [],
    stats: { rank: 0, following: 0, followers: 0 },
    metadata: { profile: profileOf(account) },
  };
}

/** The profile in `posting_json_metadata`, otherwise the one in `json_metadata`. */
function profileOf({ postingJsonMetadata, jsonMetadata }: Account): object {
  const [profile = {}] = [postingJsonMetadata, jsonMetadata]
    .map((json) => Object.entries(metadataOf(json)).find(([name]) => name === 'profile')?.[1] as unknown)
    .filter(isFields);
  const texts = profileFields.map((name) => [name, typeof profile[name] === 'string' ? profile[name] : ''] as const);
  const { website } = profile;
  return { ...Object.fromEntries(texts), ...(typeof website === 'string' && { website: withScheme(website) }) };
}

/** Adds a scheme to a website without one, as Hivemind's `extract_profile_metadata.sql`. */
function withScheme(website: string): string {
  return /^https?:\/\//.test(website) ? website : `http://${website}`;
}
