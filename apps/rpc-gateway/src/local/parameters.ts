import { accountName as chainRule, assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { isCommunityName } from '../communities/community-name';
import { storable } from '../storable';

/**
 * One parameter: a schema that throws the `RpcError` which clients know. What is not given comes as undefined, and so does
 * null. Required ones are known to be there.
 */
type Parameter<T> = z.ZodType<T>;

/** The name of an account, by the chain's rule. @param called so in the refusal of another type: each method has its own */
export function account(called: string): Parameter<string> {
  return z.unknown().transform((value) => nameOf(value, called));
}

/** The same, or none: then empty. */
export function optionalAccount(called: string): Parameter<string> {
  return z.unknown().transform((value) => (value === undefined || value === '' ? '' : nameOf(value, called)));
}

/** The name of a community. */
export const community: Parameter<string> = z.unknown().transform((value) => {
  if (value === '') throw assertionFailed('community name cannot be blank');
  if (typeof value === 'string' && isCommunityName(value)) return value;
  throw assertionFailed('given community name is not valid');
});

/** The same, or none: then empty. */
export const optionalCommunity: Parameter<string> = z
  .unknown()
  .transform((value) => (value === undefined || value === '' ? '' : community.parse(value)));

/** The rest of a post's link. */
export const permlink: Parameter<string> = z.unknown().transform((value) => {
  if (typeof value !== 'string') throw assertionFailed('permlink must be string');
  if (value === '') throw assertionFailed('permlink cannot be blank');
  if (value.length > longestPermlink) throw assertionFailed('invalid permlink length');
  return storable(value);
});

const longestPermlink = 256;

/** Words to look for, or none. Of 100,000 words the database made a query for 8 s, and then refused it. */
export function optionalWords(name: string): Parameter<string | undefined> {
  return z.unknown().transform((value) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalidType(name);
    if (value.length > longestWords) throw assertionFailed(`invalid ${name} length`);
    return storable(value);
  });
}

/** Longer than the title and the description that they are looked for in. */
const longestWords = 256;

/** One of a few words. @param refusal of any other text; its names are part of it */
export function oneOf<const Word extends string>(
  name: string,
  { words, otherwise, refusal }: { words: readonly Word[]; otherwise: Word; refusal: string },
): Parameter<Word> {
  return z.unknown().transform((value) => {
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
  return z.unknown().transform((value) => {
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
export const lastId: Parameter<bigint | undefined> = z.unknown().transform((value) => {
  const id = value === undefined ? 0n : wholeNumber(value, 'last_id');
  return id === 0n ? undefined : id;
});

function nameOf(value: unknown, called: string): string {
  if (value === undefined || value === '') throw assertionFailed('invalid account (not specified)');
  if (typeof value !== 'string') throw invalidType(called);
  if (value.length < 3 || value.length > 16) throw assertionFailed(`invalid account name length: \`${value}\``);
  if (!chainRule.safeParse(value).success) throw assertionFailed('invalid account char');
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
