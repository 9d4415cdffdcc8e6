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
export const permlink: Parameter<string> = parameter(allowedPermlink(), (value) => {
  if (typeof value !== 'string') throw assertionFailed('permlink must be string');
  if (value === '') throw assertionFailed('permlink cannot be blank', 'permlink');
  if (value.length > longestPermlink) throw assertionFailed('invalid permlink length');
  return toStorableText(value);
});

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

/** One of a few strings. @param errorMessage for any other string; the valid ones are appended */
export function oneOf<const Value extends string>(
  name: string,
  { values, defaultValue, errorMessage }: { values: readonly Value[]; defaultValue: Value; errorMessage: string },
): Parameter<Value> {
  return parameter(z.enum(values).meta({ default: defaultValue }), (given) => {
    if (given === undefined) return defaultValue;
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
    const number = integerOf(value, name);
    if (number >= BigInt(min) && number <= BigInt(max)) return Number(number);
    throw assertionFailed(`${label} = ${number} outside valid range [${min}:${max}]`);
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

function uncheckedName(value: unknown): string {
  if (typeof value !== 'string') throw invalidType('account name');
  return value;
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

function invalidType(name: string): RpcError {
  return assertionFailed(`invalid ${name} type`);
}
