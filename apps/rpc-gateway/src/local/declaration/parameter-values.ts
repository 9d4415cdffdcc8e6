import { accountName as chainRule, assertionFailed, type RpcError } from '@waggle/contracts';
import { isCommunityName } from '../../communities/community-name';
import { toStorableText } from '../../storable-text';

// Each function reads one value that a client sent, and throws the `RpcError` that public gateways send for an invalid
// one: clients compare the texts of errors.

export const longestPermlink = 256;
export const tagRule = /^[a-z0-9\-_]+$/;
/** Errors do not repeat longer names: otherwise the response to a request of 1 MiB would be several MiB long. */
const maxRepeatedNameLength = 100;

/** The name of an account, by the rules of the chain. @param label the parameter's name in type errors */
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

export function permlinkOf(value: unknown): string {
  if (typeof value !== 'string') throw assertionFailed('permlink must be string');
  if (value === '') throw assertionFailed('permlink cannot be blank', 'permlink');
  if (value.length > longestPermlink) throw assertionFailed('invalid permlink length');
  return toStorableText(value);
}

export function tagOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidType(name);
  if (!tagRule.test(value)) throw assertionFailed(`invalid tag \`${value.slice(0, maxRepeatedNameLength)}\``);
  return value;
}

/** Returns the author and permlink of a post, in a list; an empty list for any other value. */
export function linkOf(value: unknown): (readonly [author: string, permlink: string])[] {
  if (!Array.isArray(value) || value.length !== 2) return [];
  const [author, permlink] = value as unknown[];
  const isLink = typeof author === 'string' && author !== '' && typeof permlink === 'string' && permlink !== '';
  return isLink ? [[toStorableText(author), toStorableText(permlink)]] : [];
}

/** The name of an account, which the method checks itself. */
export function uncheckedName(value: unknown): string {
  if (typeof value !== 'string') throw invalidType('account name');
  return toStorableText(value);
}

export function communityOf(value: unknown): string {
  if (value === '') throw assertionFailed('community name cannot be blank', 'community');
  if (typeof value === 'string' && isCommunityName(value)) return value;
  throw assertionFailed('given community name is not valid', typeof value === 'string' ? 'community' : 'call');
}

/** An integer, or the digits of one as from a URL. */
export function integerOf(value: unknown, name: string): bigint {
  if (typeof value !== 'number' && typeof value !== 'string') throw invalidType(name);
  const text = String(value).trim();
  if (typeof value === 'number' ? Number.isInteger(value) : /^[+-]?\d{1,20}$/.test(text)) return BigInt(value);
  throw assertionFailed(`invalid literal for int() with base 10: '${text.slice(0, 100)}'`);
}

export function inRange(number: bigint, { label, min, max }: { label: string; min: number; max: number }): number {
  if (number >= BigInt(min) && number <= BigInt(max)) return Number(number);
  throw assertionFailed(`${label} = ${number} outside valid range [${min}:${max}]`);
}

export function invalidType(name: string): RpcError {
  return assertionFailed(`invalid ${name} type`);
}
