import { accountName as chainRule, assertionFailed, type RpcError } from '@waggle/contracts';
import { jsonSchemaOf } from '@waggle/service';
import { z } from 'zod';
import { communityNameRule, isCommunityName } from '../../communities/community-name';
import { toStorableText } from '../../storable-text';

const longestPermlink = 256;
/** Errors do not repeat longer names: otherwise the response to a request of 1 MiB would be several MiB long. */
const maxRepeatedNameLength = 100;
/** Profiles in one response. */
const maxAccounts = 100;
/** Maximum value of PostgreSQL's `integer`. */
const maxInt4 = 2 ** 31 - 1;
/** Posts that one call may name. */
const maxLinks = 1_000;
const tagRule = /^[a-z0-9\-_]+$/;
/**
 * Maximum length of a search: more than the title and description of a community, which are searched, have together.
 */
const maxWordsLength = 256;

/**
 * A parameter: a schema that throws the `RpcError` that clients expect. Missing parameters and null are undefined;
 * required parameters were checked before.
 */
type Parameter<T> = z.ZodType<T>;

/**
 * @param allowed the schema in the API description; `read` accepts all of these values
 * @param read throws an `RpcError` for invalid values
 */
function parameter<T>(allowed: z.ZodType, read: (value: unknown) => T): Parameter<T> {
  return z.unknown().transform(read).meta(jsonSchemaOf(allowed, 'input').schema);
}

/** A parameter that clients send but that has no effect. */
export const ignored: Parameter<unknown> = parameter(
  z.unknown().meta({ description: 'Has no effect' }),
  (value) => value,
);

/**
 * The name of an account, by the rules of the chain. @param label the parameter's name in type errors, which differs
 * between methods
 */
export function account(label: string): Parameter<string> {
  return parameter(chainRule, (value) => accountNameOf(value, label));
}

/** Declares a parameter like `account` that may be empty, which is the default. */
export function optionalAccount(label: string): Parameter<string> {
  const allowed = z.union([chainRule, z.literal('')]).meta({ description: 'Name of a Hive account, or empty' });
  return parameter(allowed, (value) => (value === undefined || value === '' ? '' : accountNameOf(value, label)));
}

/** A name that the method checks itself, because its error message for malformed names is different. */
export const uncheckedAccount: Parameter<string> = parameter(chainRule, uncheckedName);

/** Several such names. */
export const uncheckedAccounts: Parameter<string[]> = parameter(z.array(chainRule).max(maxAccounts), (value) => {
  if (!Array.isArray(value)) throw invalidType('accounts');
  if (value.length > maxAccounts)
    throw assertionFailed(`Parameters count is greather than max allowed (${maxAccounts})`);
  return value.map(uncheckedName);
});

/** The name where a list of accounts begins: any string, such as a prefix of a name or an empty string. */
export function lowerBound(name: string): Parameter<string> {
  return parameter(z.string(), (value) => {
    if (typeof value !== 'string') throw invalidType(name);
    return toStorableText(value);
  });
}

/** The name of a community. */
export const community: Parameter<string> = parameter(communityName(), communityOf);

/** A parameter like `community` that may be empty, which is the default. */
export const optionalCommunity: Parameter<string> = parameter(
  z.union([communityName(), z.literal('')]).meta({ description: 'Name of a community, or empty' }),
  (value) => (value === undefined || value === '' ? '' : communityOf(value)),
);

/** The permlink of a post. */
export const permlink: Parameter<string> = parameter(allowedPermlink(), permlinkOf);

/** A parameter like `permlink` that may be empty, which is the default. */
export const optionalPermlink: Parameter<string> = parameter(
  z.union([allowedPermlink(), z.literal('')]).meta({ description: 'Permlink of a post, or empty' }),
  (value) => (value === undefined || value === '' ? '' : permlinkOf(value)),
);

/** A post as an object with its author and permlink, as other methods return it. Further members have no effect. */
export const postObject: Parameter<{ readonly author: string; readonly permlink: string }> = parameter(
  z.looseObject({ author: chainRule, permlink: allowedPermlink() }).meta({ description: 'Other members are ignored' }),
  (value) => {
    const members = z.looseObject({}).safeParse(value);
    if (!members.success) throw invalidType('post');
    return { author: accountNameOf(members.data['author'], 'author'), permlink: permlinkOf(members.data['permlink']) };
  },
);

/** A tag of posts, or the name of a community. */
export const tag: Parameter<string> = parameter(allowedTag(), (value) => {
  if (value === '') throw assertionFailed('tag was blank');
  return tagOf(value, 'tag');
});

/** A parameter like `tag` that may be empty, which is the default. */
export function optionalTag(name: string): Parameter<string> {
  const allowed = z.union([allowedTag(), z.literal('')]).meta({ description: 'A tag or a community, or empty' });
  return parameter(allowed, (value) => (value === undefined || value === '' ? '' : tagOf(value, name)));
}

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

/** A parameter that the network's gateways do not support. */
export const filterTags: Parameter<undefined> = parameter(z.null().meta({ description: 'Not supported' }), (value) => {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidType('filter_tags');
  throw assertionFailed('filter_tags not supported');
});

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

/** The values of a page's first row, which depend on the order; the method checks them. */
export function startOf(lengths: readonly number[]): Parameter<readonly unknown[]> {
  const allowed = z
    .array(z.string())
    .min(Math.min(...lengths))
    .max(Math.max(...lengths));
  return parameter(allowed, (value) => {
    if (!Array.isArray(value)) throw invalidType('start');
    return value as unknown[];
  });
}

/** Authors and permlinks of posts. Elements that are not such a pair are ignored. */
export const links: Parameter<readonly (readonly [author: string, permlink: string])[]> = parameter(
  z.array(z.tuple([z.string(), z.string()])).max(maxLinks),
  (value) => {
    if (!Array.isArray(value)) throw invalidType('comments');
    if (value.length > maxLinks) throw assertionFailed(`Parameters count is greather than max allowed (${maxLinks})`);
    return value.flatMap((each: unknown) => linkOf(each));
  },
);

/**
 * Words to search for. The limit protects the database, which took 8 s to parse a query of 100,000 words and then
 * rejected it.
 */
export function optionalWords(name: string): Parameter<string | undefined> {
  return parameter(z.string().max(maxWordsLength), (value) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalidType(name);
    if (value.length > maxWordsLength) throw assertionFailed(`invalid ${name} length`);
    return toStorableText(value);
  });
}

/**
 * One of a few strings. @param defaultValue of a parameter that is not required @param errorMessage for any other
 * string; the valid ones are appended
 */
export function oneOf<const Value extends string>(
  name: string,
  { values, defaultValue, errorMessage }: { values: readonly Value[]; defaultValue?: Value; errorMessage: string },
): Parameter<Value> {
  const allowed = z.enum(values);
  return parameter(defaultValue === undefined ? allowed : allowed.meta({ default: defaultValue }), (given) => {
    if (given === undefined && defaultValue !== undefined) return defaultValue;
    if (typeof given !== 'string') throw invalidType(name);
    const value = values.find((each) => each === given);
    if (value === undefined) throw assertionFailed(`${errorMessage}: ${values.join(', ')}`);
    return value;
  });
}

/** An integer within a range, or a string of its digits as from a URL. */
export function numberIn(
  name: string,
  { min, max, defaultValue, label = name }: { min: number; max: number; defaultValue: number; label?: string },
): Parameter<number> {
  return parameter(z.int().min(min).max(max).meta({ default: defaultValue }), (value) => {
    if (value === undefined) return defaultValue;
    return inRange(integerOf(value, name), { label, min, max });
  });
}

/** The maximum number of results. */
export function limit(max: number, defaultValue = max): Parameter<number> {
  return numberIn('limit', { min: 1, max, defaultValue });
}

/** The minimum score of notifications. */
export const minScore = numberIn('min_score', { min: 0, max: 100, defaultValue: 25, label: 'score' });

/** The id of the last notification of the previous page; undefined for the first page, or if it is 0. */
export const lastId: Parameter<bigint | undefined> = parameter(allowedLastId(), (value) => {
  const id = value === undefined ? 0n : integerOf(value, 'last_id');
  return id === 0n ? undefined : id;
});

function communityName(): z.ZodString {
  return z.string().regex(communityNameRule).meta({ description: 'Name of a community' });
}

function allowedPermlink(): z.ZodString {
  return z.string().min(1).max(longestPermlink).meta({ description: 'Permlink of a post' });
}

/** Ids have more bits than `z.int()` allows. */
function allowedLastId(): z.ZodNumber {
  return z
    .number()
    .min(0)
    .max(2 ** 63)
    .meta({
      type: 'integer',
      default: 0,
      description: 'Only notifications older than the one with this id; 0: all',
    });
}

function allowedTag(): z.ZodString {
  return z.string().regex(tagRule).max(maxWordsLength).meta({ description: 'A tag or a community' });
}

/** Checks a permlink. @throws RpcError */
export function permlinkOf(value: unknown): string {
  if (typeof value !== 'string') throw assertionFailed('permlink must be string');
  if (value === '') throw assertionFailed('permlink cannot be blank', 'permlink');
  if (value.length > longestPermlink) throw assertionFailed('invalid permlink length');
  return toStorableText(value);
}

function tagOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidType(name);
  if (!tagRule.test(value)) throw assertionFailed(`invalid tag \`${value.slice(0, maxRepeatedNameLength)}\``);
  return value;
}

function linkOf(value: unknown): (readonly [author: string, permlink: string])[] {
  if (!Array.isArray(value) || value.length !== 2) return [];
  const [author, permlink] = value as unknown[];
  const isLink = typeof author === 'string' && author !== '' && typeof permlink === 'string' && permlink !== '';
  return isLink ? [[toStorableText(author), toStorableText(permlink)]] : [];
}

function uncheckedName(value: unknown): string {
  if (typeof value !== 'string') throw invalidType('account name');
  return toStorableText(value);
}

function communityOf(value: unknown): string {
  if (value === '') throw assertionFailed('community name cannot be blank', 'community');
  if (typeof value === 'string' && isCommunityName(value)) return value;
  throw assertionFailed('given community name is not valid', typeof value === 'string' ? 'community' : 'call');
}

/**
 * Checks the name of an account by the rules of the chain. @param label the parameter's name in type errors @throws
 * RpcError
 */
export function accountNameOf(value: unknown, label: string): string {
  if (value === undefined || value === '') throw assertionFailed('invalid account (not specified)', 'account');
  if (typeof value !== 'string') throw invalidType(label);
  if (value.length > maxRepeatedNameLength) throw assertionFailed('invalid account name length', 'account');
  if (value.length < 3 || value.length > 16)
    throw assertionFailed(`invalid account name length: \`${value}\``, 'account');
  if (value.startsWith('@')) throw assertionFailed('invalid account name char `@`', 'account');
  if (!chainRule.safeParse(value).success) throw assertionFailed('invalid account char', 'account');
  return value;
}

function integerOf(value: unknown, name: string): bigint {
  if (typeof value !== 'number' && typeof value !== 'string') throw invalidType(name);
  const text = String(value).trim();
  if (typeof value === 'number' ? Number.isInteger(value) : /^[+-]?\d{1,20}$/.test(text)) return BigInt(value);
  throw assertionFailed(`invalid literal for int() with base 10: '${text.slice(0, 100)}'`);
}

/** @throws RpcError for a number outside the range */
function inRange(number: bigint, { label, min, max }: { label: string; min: number; max: number }): number {
  if (number >= BigInt(min) && number <= BigInt(max)) return Number(number);
  throw assertionFailed(`${label} = ${number} outside valid range [${min}:${max}]`);
}

function invalidType(name: string): RpcError {
  return assertionFailed(`invalid ${name} type`);
}
