import { accountName as chainRule, assertionFailed } from '@waggle/contracts';
import { jsonSchemaOf } from '@waggle/service';
import { z } from 'zod';
import { communityNameRule, isCommunityName } from '../communities/community-name';
import { storable } from '../storable';

const longestPermlink = 256;
/** Longer names are not repeated in errors: a request of 1 MiB would get a response of several. */
const maxRepeatedName = 100;
/** Profiles in one answer. */
const maxAccounts = 100;
/** Longer than the title and the description that they are looked for in. */
const longestWords = 256;

/**
 * One parameter: a schema that throws the `RpcError` which clients know. What is not given comes as undefined, and so does
 * null. Required ones are known to be there.
 */
type Parameter<T> = z.ZodType<T>;

/**
 * @param allowed what the description of the API says of it: all of that is read
 * @param read throws the `RpcError` for what is not
 */
function parameter<T>(allowed: z.ZodType, read: (value: unknown) => T): Parameter<T> {
  return z.unknown().transform(read).meta(jsonSchemaOf(allowed, 'input').schema);
}

/** What clients give and nothing follows from. */
export const ignored: Parameter<unknown> = parameter(
  z.unknown().meta({ description: 'Makes no difference' }),
  (value) => value,
);

/** The name of an account, by the chain's rule. @param called so in the refusal of another type: each method has its own */
export function account(called: string): Parameter<string> {
  return parameter(chainRule, (value) => accountNameOf(value, called));
}

/** The same, or none: then empty. */
export function optionalAccount(called: string): Parameter<string> {
  const allowed = z.union([chainRule, z.literal('')]).meta({ description: 'Name of a Hive account, or empty' });
  return parameter(allowed, (value) => (value === undefined || value === '' ? '' : accountNameOf(value, called)));
}

/** A name that the method checks itself, since it reports malformed names by another message. */
export const uncheckedAccount: Parameter<string> = parameter(chainRule, uncheckedName);

/** Several such names. */
export const uncheckedAccounts: Parameter<string[]> = parameter(z.array(chainRule).max(maxAccounts), (value) => {
  if (!Array.isArray(value)) throw invalidType('accounts');
  if (value.length > maxAccounts)
    throw assertionFailed(`Parameters count is greather than max allowed (${maxAccounts})`);
  return value.map(uncheckedName);
});

/** From which name on accounts are listed: any text, also the beginning of a name, or empty. */
export function lowerBound(name: string): Parameter<string> {
  return parameter(z.string(), (value) => {
    if (typeof value !== 'string') throw invalidType(name);
    return storable(value);
  });
}

/** The name of a community. */
export const community: Parameter<string> = parameter(communityName(), communityOf);

/** The same, or none: then empty. */
export const optionalCommunity: Parameter<string> = parameter(
  z.union([communityName(), z.literal('')]).meta({ description: 'Name of a community, or empty' }),
  (value) => (value === undefined || value === '' ? '' : communityOf(value)),
);

/** The rest of a post's link. */
export const permlink: Parameter<string> = parameter(allowedPermlink(), (value) => {
  if (typeof value !== 'string') throw assertionFailed('permlink must be string');
  if (value === '') throw assertionFailed('permlink cannot be blank', 'permlink');
  if (value.length > longestPermlink) throw assertionFailed('invalid permlink length');
  return storable(value);
});

/** Words to look for, or none. Of 100,000 words the database made a query for 8 s, and then refused it. */
export function optionalWords(name: string): Parameter<string | undefined> {
  return parameter(z.string().max(longestWords), (value) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalidType(name);
    if (value.length > longestWords) throw assertionFailed(`invalid ${name} length`);
    return storable(value);
  });
}

/** One of a few words. @param refusal of any other text; its names are part of it */
export function oneOf<const Word extends string>(
  name: string,
  { words, otherwise, refusal }: { words: readonly Word[]; otherwise: Word; refusal: string },
): Parameter<Word> {
  return parameter(z.enum(words).meta({ default: otherwise }), (value) => {
    if (value === undefined) return otherwise;
    if (typeof value !== 'string') throw invalidType(name);
    const word = words.find((each) => each === value);
    if (word === undefined) throw assertionFailed(`${refusal}: ${words.join(', ')}`);
    return word;
  });
}

/** A whole number within a range; as text too, as it comes from addresses. */
export function numberIn(
  name: string,
  { least, most, otherwise, called = name }: { least: number; most: number; otherwise: number; called?: string },
): Parameter<number> {
  return parameter(z.int().min(least).max(most).meta({ default: otherwise }), (value) => {
    if (value === undefined) return otherwise;
    const number = wholeNumber(value, name);
    if (number >= BigInt(least) && number <= BigInt(most)) return Number(number);
    throw assertionFailed(`${called} = ${number} outside valid range [${least}:${most}]`);
  });
}

/** How many at the most. */
export function limit(most: number, otherwise = most): Parameter<number> {
  return numberIn('limit', { least: 1, most, otherwise });
}

/** Of notifications, what they are scored at least. */
export const minScore = numberIn('min_score', { least: 0, most: 100, otherwise: 25, called: 'score' });

/** The id of a notification that was told last; undefined where there is none, or 0. */
export const lastId: Parameter<bigint | undefined> = parameter(allowedLastId(), (value) => {
  const id = value === undefined ? 0n : wholeNumber(value, 'last_id');
  return id === 0n ? undefined : id;
});

function communityName() {
  return z.string().regex(communityNameRule).meta({ description: 'Name of a community' });
}

function allowedPermlink() {
  return z.string().min(1).max(longestPermlink).meta({ description: 'What follows the author in the link of a post' });
}

/** Ids have more bits than zod's whole numbers. */
function allowedLastId() {
  return z
    .number()
    .min(0)
    .max(2 ** 63)
    .meta({
      type: 'integer',
      default: 0,
      description: 'Only what is older than the notification with this id; 0: all',
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

/** @throws RpcError @param called in the message for another type */
export function accountNameOf(value: unknown, called: string): string {
  if (value === undefined || value === '') throw assertionFailed('invalid account (not specified)', 'account');
  if (typeof value !== 'string') throw invalidType(called);
  if (value.length > maxRepeatedName) throw assertionFailed('invalid account name length', 'account');
  if (value.length < 3 || value.length > 16)
    throw assertionFailed(`invalid account name length: \`${value}\``, 'account');
  if (value.startsWith('@')) throw assertionFailed('invalid account name char `@`', 'account');
  if (!chainRule.safeParse(value).success) throw assertionFailed('invalid account char', 'account');
  return value;
}

function wholeNumber(value: unknown, name: string): bigint {
  if (typeof value !== 'number' && typeof value !== 'string') throw invalidType(name);
  const text = String(value).trim();
  if (typeof value === 'number' ? Number.isInteger(value) : /^[+-]?\d{1,20}$/.test(text)) return BigInt(value);
  throw assertionFailed(`invalid literal for int() with base 10: '${text.slice(0, 100)}'`);
}

function invalidType(name: string) {
  return assertionFailed(`invalid ${name} type`);
}
