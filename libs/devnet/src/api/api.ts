import { type NodeSoftware } from '../software';
import { type ChainView, type Inclusion } from '../chain-view';
import { assertion } from '../errors';
import { type Fields, fieldsOf, listOf } from '../fields';
import { type Transaction } from '../transaction';

/** What a method reads and calls. */
export interface ApiContext {
  readonly view: ChainView;
  readonly software: NodeSoftware;
  /** Takes a transaction for the next block. @throws NodeError */
  readonly submit: (transaction: unknown) => Transaction;
  /** Resolves when the transaction is in a block. */
  readonly confirm: (transaction: Transaction) => Promise<Inclusion>;
}

/** @throws (or rejects with) NodeError, with the error that a node would return */
export type Method = (context: ApiContext, params: unknown) => unknown;

/** A namespace of methods, for example `block_api`. */
export interface Api {
  readonly name: string;
  readonly methods: Readonly<Record<string, Method>>;
}

/**
 * Positional arguments, as in condenser_api.cpp. Its text for an exact number has the name of a parameter instead of the number.
 * @param expected the text for a varying number, if it is not a range.
 */
export function positional(
  params: unknown,
  count: number,
  optionalCount = 0,
  expected = optionalCount > 0 ? `${count}-${count + optionalCount} arguments` : '#s argument(s)',
): readonly unknown[] {
  const args = isEmpty(params) ? [] : listOf(params);
  if (args.length >= count && args.length <= count + optionalCount) return args;
  const sizes = Array.from({ length: optionalCount + 1 }, (_, index) => `args.size() == ${count + index}`);
  throw assertion(sizes.join(' || '), `Expected ${expected}, was \${n}`, { n: args.length });
}

/** Arguments by name, as the appbase APIs take them. */
export function named(params: unknown): Fields {
  return Array.isArray(params) && params.length === 0 ? {} : fieldsOf(params ?? {});
}

function isEmpty(params: unknown): boolean {
  return params === undefined || params === null || (typeof params === 'object' && Object.keys(params).length === 0);
}
