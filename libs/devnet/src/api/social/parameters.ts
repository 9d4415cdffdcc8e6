import { isAccountName } from '../../state/account';
import { isFields, type Fields } from '../../fields';
import { type ChainState } from '../../state/state';
import { gatewayError } from './errors';

/**
 * Returns parameters by name. A social gateway accepts them by name, by position, or as one object in an array.
 * @param names in the order of their positions.
 * @throws NodeError if one is unknown, or if there are too many.
 */
export function parametersOf(params: unknown, names: readonly string[]): Fields {
  if (params === undefined || params === null) return {};
  if (!Array.isArray(params)) return checkNames(params, names);
  const values: readonly unknown[] = params;
  const [first] = values;
  if (values.length === 1 && isFields(first)) return checkNames(first, names);
  if (values.length > names.length) throw gatewayError('too many positional arguments');
  return Object.fromEntries(values.map((value, i) => [names[i] ?? '', value]));
}

/** The name of an account that exists. @throws NodeError */
export function accountOf(state: ChainState, value: unknown): string {
  if (value === undefined) throw gatewayError("missing a required argument: 'account'");
  const name = nameOf(value);
  if (!state.findAccount(name)) throw gatewayError(`Account ${name} does not exist`);
  return name;
}

/** Like `accountOf`; undefined if it is missing, null or empty. */
export function optionalAccountOf(state: ChainState, value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : accountOf(state, value);
}

/** A name that an account could have. @throws NodeError */
export function nameOf(value: unknown): string {
  if (typeof value !== 'string') throw gatewayError('invalid account name type');
  if (value === '') throw gatewayError('invalid account (not specified)');
  if (value.length < 3 || value.length > 16) throw gatewayError(`invalid account name length: \`${value}\``);
  if (!isAccountName(value)) throw gatewayError('invalid account char');
  return value;
}

/** @throws NodeError */
export function permlinkOf(value: unknown): string {
  if (typeof value !== 'string') throw gatewayError('permlink must be string');
  if (value === '') throw gatewayError('permlink cannot be blank');
  return value;
}

/** @throws NodeError */
export function limitOf(value: unknown, max: number): number {
  const limit = value ?? max;
  if (typeof limit !== 'number' || !Number.isInteger(limit)) throw gatewayError('invalid limit type');
  if (limit < 1 || limit > max) throw gatewayError(`limit = ${limit} outside valid range [1:${max}]`);
  return limit;
}

/** One of several words, such as an order. @throws NodeError */
export function sortOf<Sort extends string>(value: unknown, sorts: readonly Sort[]): Sort {
  const sort = sorts.find((known) => known === value);
  if (sort === undefined) throw gatewayError(`Unsupported sort, valid sorts: ${sorts.join(', ')}`);
  return sort;
}

function checkNames(params: unknown, names: readonly string[]): Fields {
  if (!isFields(params)) throw gatewayError('invalid params type');
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown !== undefined) throw gatewayError(`got an unexpected keyword argument '${unknown}'`);
  return params;
}
