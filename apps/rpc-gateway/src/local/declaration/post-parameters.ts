import { accountName as chainRule, assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { orEmpty, parameter, type Parameter } from './parameter';
import {
  accountNameOf,
  inRange,
  integerOf,
  invalidType,
  linkOf,
  longestPermlink,
  permlinkOf,
  tagOf,
  tagRule,
} from './parameter-values';
import { limit, numberIn } from './parameters';

/** Maximum value of PostgreSQL's `integer`. */
const maxInt4 = 2 ** 31 - 1;
/** Posts that one call may name. */
const maxLinks = 1_000;
/** Maximum length of a tag in the API description. Longer ones are accepted. */
const maxTagLength = 256;

/** The permlink of a post. */
export const permlink: Parameter<string> = parameter(allowedPermlink(), permlinkOf);

/** A parameter like `permlink` that may be empty, which is the default. */
export const optionalPermlink = orEmpty(allowedPermlink(), 'Permlink of a post, or empty', permlinkOf);

/** A post as an object with its author and permlink, as other methods return it. Further members have no effect. */
export const postObject: Parameter<{ readonly author: string; readonly permlink: string }> = parameter(
  z.looseObject({ author: chainRule, permlink: allowedPermlink() }).meta({ description: 'Other members are ignored' }),
  (value) => {
    const members = z.looseObject({}).safeParse(value);
    if (!members.success) throw invalidType('post');
    return { author: accountNameOf(members.data['author'], 'author'), permlink: permlinkOf(members.data['permlink']) };
  },
);

/** Authors and permlinks of posts. Elements that are not such a pair are ignored. */
export const links: Parameter<readonly (readonly [author: string, permlink: string])[]> = parameter(
  z.array(z.tuple([z.string(), z.string()])).max(maxLinks),
  (value) => {
    if (!Array.isArray(value)) throw invalidType('comments');
    if (value.length > maxLinks) throw assertionFailed(`Parameters count is greather than max allowed (${maxLinks})`);
    return value.flatMap((each: unknown) => linkOf(each));
  },
);

/** A tag of posts, or the name of a community. */
export const tag: Parameter<string> = parameter(allowedTag(), (value) => {
  if (value === '') throw assertionFailed('tag was blank');
  return tagOf(value, 'tag');
});

/** A parameter like `tag` that may be empty, which is the default. */
export function optionalTag(name: string): Parameter<string> {
  return orEmpty(allowedTag(), 'A tag or a community, or empty', (value) => tagOf(value, name));
}

/** A parameter that the network's gateways do not support. */
export const filterTags: Parameter<undefined> = parameter(z.null().meta({ description: 'Not supported' }), (value) => {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidType('filter_tags');
  throw assertionFailed('filter_tags not supported');
});

/** Reasons for which muted posts are left out, as a bit set; null without any. */
export const mutedReasonsFilter: Parameter<number | null> = parameter(
  z.array(z.int().min(0).max(4)).meta({ description: 'Leaves out posts that are muted for one of these reasons' }),
  (value) => {
    if (value === undefined) return null;
    if (!Array.isArray(value)) throw invalidType('muted_reasons_filter');
    const bits = value.map((reason: unknown) => {
      const number = integerOf(reason, 'muted_reasons_filter');
      if (number < 0n || number > 4n) throw assertionFailed(`Invalid muted reason: ${number}. Must be between 0-4.`);
      return 1 << Number(number);
    });
    return bits.length === 0 ? null : bits.reduce((all, bit) => all | bit, 0);
  },
);

/** The maximum number of characters of a body; 0 for all. */
export const truncateBody = numberIn('truncate_body', { min: 0, max: maxInt4, defaultValue: 0 });

/** The number of a blog entry, from 0 for the oldest; -1, like 0, for the newest. */
export const startEntryId: Parameter<number> = parameter(
  z.int().min(-1).max(maxInt4).meta({ default: 0, description: 'Number of the first entry; 0: the newest' }),
  (value) => {
    const entry = value === undefined ? 0n : integerOf(value, 'start_entry_id');
    if (entry < -1n) throw assertionFailed('offset cannot be negative');
    return entry === 0n ? -1 : inRange(entry, { label: 'start_entry_id', min: -1, max: maxInt4 });
  },
);

/** As `limit`; by default, or if it is 0, as many as there are up to the first entry. */
export function entryLimit(max: number): Parameter<number> {
  const rule = limit(max);
  return parameter(z.int().min(0).max(max), (value) => (value === undefined || value === 0 ? 0 : rule.parse(value)));
}

function allowedPermlink(): z.ZodString {
  return z.string().min(1).max(longestPermlink).meta({ description: 'Permlink of a post' });
}

function allowedTag(): z.ZodString {
  return z.string().regex(tagRule).max(maxTagLength).meta({ description: 'A tag or a community' });
}
