import { type NamedOperation } from '../dialect';
import { type Role } from '../keys';
import { type ChainState } from '../state/state';
import { type HiveTime } from '../time';

/** An account that must sign, and the authority it needs. */
export interface RequiredAuthority {
  readonly role: Exclude<Role, 'memo'>;
  readonly account: string;
}

/** Delays of this chain. */
export interface Periods {
  /** Time until removed VESTS of a delegation return. */
  readonly delegationReturnSeconds: number;
  /** Time from the creation of a comment to its payout. */
  readonly payoutSeconds: number;
}

/** What an operation needs in order to be applied. */
export interface ApplyContext extends Periods {
  /** The state to change. */
  readonly state: ChainState;
  /** The time of the head block: Hive dates an operation by the block before its own. */
  readonly now: HiveTime;
  /** Emits a virtual operation that follows from this one. */
  readonly emit: (operation: NamedOperation) => void;
}

/** One operation of a transaction, parsed and not yet applied. */
export interface Operation extends NamedOperation {
  readonly requires: readonly RequiredAuthority[];
  /** @throws NodeError if the state does not allow it. */
  apply(context: ApplyContext): void;
}

/** A kind of operation: reads its JSON, of either dialect, into an operation. */
export interface OperationKind {
  readonly name: string;
  /** @throws NodeError if a field is missing or wrong. */
  read(value: unknown): Operation;
}

/**
 * Defines a kind of operation.
 * @param definition.parse parses the fields, in the order of the protocol, and rejects those that are invalid in any
 * state.
 * @param definition.requires the authorities that must sign.
 * @param definition.apply changes the state, or throws.
 */
export function defineOperation<Value extends object>(definition: {
  readonly name: string;
  readonly parse: (value: unknown) => Value;
  readonly requires: (value: Value) => readonly RequiredAuthority[];
  readonly apply: (value: Value, context: ApplyContext) => void;
}): OperationKind {
  const { name, parse, requires, apply } = definition;
  return {
    name,
    read(json) {
      const value = parse(json);
      return {
        name,
        value,
        requires: requires(value),
        apply: (context) => {
          apply(value, context);
        },
      };
    },
  };
}
