import { type NodeSoftware } from '../software';
import { type ChainView, type Inclusion } from '../chain/chain-view';
import { assertion } from '../errors';
import { type Fields, fieldsOf, listOf } from '../fields';
import { type Transaction } from '../chain/transaction';

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

/** What a method reports about a wrong number of arguments: the condition, and the text before the number. */
interface ArgumentCount {
  readonly condition: string;
  readonly expected: string;
}

/** Positional arguments, as in condenser_api.cpp. @param wrongCount if it is not the usual error of that file */
export function positional(
  params: unknown,
  count: number,
  optionalCount = 0,
  wrongCount = usualError(count, optionalCount),
): readonly unknown[] {
  const args = isEmpty(params) ? [] : listOf(params);
  if (args.length >= count && args.length <= count + optionalCount) return args;
  throw assertion(wrongCount.condition, `Expected ${wrongCount.expected}, was \${n}`, { n: args.length });
}

/** hived writes `#s` instead of the number. */
function usualError(count: number, optionalCount: number): ArgumentCount {
  const sizes = Array.from({ length: optionalCount + 1 }, (_, index) => `args.size() == ${count + index}`);
  const expected = optionalCount > 0 ? `${count}-${count + optionalCount} arguments` : '#s argument(s)';
  return { condition: sizes.join(' || '), expected };
}

/** Arguments by name, as the appbase APIs take them. */
export function named(params: unknown): Fields {
  return Array.isArray(params) && params.length === 0 ? {} : fieldsOf(params ?? {});
}

function isEmpty(params: unknown): boolean {
  return params === undefined || params === null || (typeof params === 'object' && Object.keys(params).length === 0);
}
