import { accountName as chainRule, assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { communityNameRule } from '../../communities/community-name';
import { toStorableText } from '../../storable-text';
import { orEmpty, parameter, type Parameter } from './parameter';
import { accountNameOf, communityOf, inRange, integerOf, invalidType, uncheckedName } from './parameter-values';

/** Profiles in one response. */
const maxAccounts = 100;
/**
 * Maximum length of a search: more than the title and description of a community, which are searched, have together.
 */
const maxWordsLength = 256;

/** A parameter that clients send but that has no effect. */
export const ignored: Parameter<unknown> = parameter(
  z.unknown().meta({ description: 'Has no effect' }),
  (value) => value,
);

/**
 * The name of an account, by the rules of the chain.
 *
 * @param label the parameter's name in type errors, which differs between methods
 */
export function account(label: string): Parameter<string> {
  return parameter(chainRule, (value) => accountNameOf(value, label));
}

/** Declares a parameter like `account` that may be empty, which is the default. */
export function optionalAccount(label: string): Parameter<string> {
  return orEmpty(chainRule, 'Name of a Hive account, or empty', (value) => accountNameOf(value, label));
}

/** A name that the method checks itself, because its error message for malformed names is different. */
export const uncheckedAccount: Parameter<string> = parameter(chainRule, uncheckedName);

/** A list of names like `uncheckedAccount`. */
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
export const optionalCommunity = orEmpty(communityName(), 'Name of a community, or empty', communityOf);

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

/**
 * One of a few strings.
 *
 * @param defaultValue of a parameter that is not required
 * @param errorMessage for any other string; the valid ones are appended
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
