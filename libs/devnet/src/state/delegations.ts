import BTree from 'sorted-btree';
import { type Asset } from './assets';
import { type HiveTime } from '../time';

/** A delegation; never of 0. */
export interface Delegation {
  readonly id: number;
  readonly delegator: string;
  readonly delegatee: string;
  readonly vests: Asset;
  /** Earliest time when removed VESTS return. */
  readonly minDelegationTime: HiveTime;
}

/** A pending return: VESTS that the delegator has back at `expiration`. */
export interface DelegationExpiration {
  readonly id: number;
  readonly delegator: string;
  readonly vests: Asset;
  readonly expiration: HiveTime;
}

/** Delegations and pending returns of a state. */
export class Delegations {
  private byPair = new BTree<string, Delegation>();
  private expirations = new BTree<string, DelegationExpiration>();
  private nextDelegationId = 0;
  private nextExpirationId = 0;

  copy(): Delegations {
    const copy = new Delegations();
    copy.byPair = this.byPair;
    copy.expirations = this.expirations;
    copy.nextDelegationId = this.nextDelegationId;
    copy.nextExpirationId = this.nextExpirationId;
    return copy;
  }

  find(delegator: string, delegatee: string): Delegation | undefined {
    return this.byPair.get(pairKey(delegator, delegatee));
  }

  /** Returns the delegations from a pair on, in the order of delegator and delegatee. */
  from(delegator = '', delegatee = ''): IterableIterator<Delegation> {
    return this.byPair.values(pairKey(delegator, delegatee));
  }

  by(delegator: string): Delegation[] {
    const found: Delegation[] = [];
    for (const delegation of this.from(delegator)) {
      if (delegation.delegator !== delegator) break;
      found.push(delegation);
    }
    return found;
  }

  add(delegation: Omit<Delegation, 'id'>): void {
    this.put({ ...delegation, id: this.nextDelegationId++ });
  }

  put(delegation: Delegation): void {
    this.byPair = this.byPair.with(pairKey(delegation.delegator, delegation.delegatee), delegation, true);
  }

  remove({ delegator, delegatee }: Delegation): void {
    this.byPair = this.byPair.without(pairKey(delegator, delegatee));
  }

  /** Returns the expirations from a time and id on, in the order of their time, then of their id. */
  expirationsFrom(time: HiveTime = '', id = 0): IterableIterator<DelegationExpiration> {
    return this.expirations.values(expirationKey({ expiration: time, id }));
  }

  expirationsOf(delegator: string): DelegationExpiration[] {
    return [...this.expirationsFrom()].filter((expiration) => expiration.delegator === delegator);
  }

  addExpiration(expiration: Omit<DelegationExpiration, 'id'>): void {
    const added = { ...expiration, id: this.nextExpirationId++ };
    this.expirations = this.expirations.with(expirationKey(added), added, true);
  }

  removeExpiration(expiration: DelegationExpiration): void {
    this.expirations = this.expirations.without(expirationKey(expiration));
  }
}

/** A space is before every character of a name, so keys order as pairs do. */
function pairKey(delegator: string, delegatee: string): string {
  return `${delegator} ${delegatee}`;
}

function expirationKey({ expiration, id }: Pick<DelegationExpiration, 'expiration' | 'id'>): string {
  return `${expiration} ${String(id).padStart(10, '0')}`;
}
