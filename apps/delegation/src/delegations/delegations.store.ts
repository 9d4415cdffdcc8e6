import { Inject, Injectable } from '@nestjs/common';
import { ConcurrencyLimiter, POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { DELEGATION_CONFIG, type DelegationConfig } from '../config';
import { DelegationError } from '../errors';
import { firstChangeId } from '../history/change-id';
import { type Known } from '../index-state/known';
import { ask, textAt } from '../index-state/known.statement';
import { statementsFor } from '../lists/list-statements';
import { type Page } from '../lists/page';
import { type Asked, type Row } from '../reads/question';
import { Reads } from '../reads/reads';
import {
  balanceAsOf,
  currentBalance,
  currentDelegations,
  currentPair,
  delegationsAsOf,
  ownDelegation,
  pairAsOf,
  pendingReturns,
} from './delegations.statements';
import { type Direction, sidesOf } from './direction';

/** Amounts are millionths of VESTS, as text. */
export interface DelegationRow {
  readonly id: string;
  readonly delegator: string;
  readonly delegatee: string;
  readonly amount: string;
}

export interface PendingReturnRow {
  readonly id: string;
  readonly amount: string;
  readonly returnsSeconds: number;
}

/** Longest wait of a read of the past for its turn: a client waits behind it. */
const maxWaitForPastMs = 2_000;

const current = statementsFor(currentDelegations);
const asOf = statementsFor(delegationsAsOf);

/**
 * The delegations as they are, and as of earlier blocks. Of lists up to `page.limit` items are read, the one next to the
 * cursor first.
 */
@Injectable()
export class DelegationsStore {
  /** Looking far back at an account with many delegations takes a while; it must leave connections to everybody else. */
  private readonly past: ConcurrencyLimiter;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly reads: Reads,
    @Inject(DELEGATION_CONFIG) config: Pick<DelegationConfig, 'database'>,
  ) {
    const maxRunning = Math.ceil(config.database.poolSize / 2);
    this.past = new ConcurrencyLimiter({ maxRunning, maxWaitMs: maxWaitForPastMs }, tooManyAboutPast);
  }

  /** @param block as of which; else now @param transaction of an export; else what is read at once goes over shared connections */
  async list(
    direction: Direction,
    account: string,
    { after, before, limit, readsUp }: Page,
    block: number | undefined,
    transaction?: Asked,
  ): Promise<{ known: Known; items: DelegationRow[] }> {
    const values = [account, after, before, limit];
    const { known, rows } =
      block === undefined
        ? await ask(transaction ?? this.reads, current(direction, readsUp), values)
        : await this.past.run(() =>
            ask(transaction ?? this.pool, asOf(direction, readsUp), [...values, firstChangeId(block + 1), block]),
          );
    const items = rows.map((row) => ({
      id: textAt(row, 0),
      ...sidesOf(direction, account, textAt(row, 1)),
      amount: textAt(row, 2),
    }));
    return { known, items };
  }

  /** @param block as of which; else now */
  async getBalance(
    account: string,
    block: number | undefined,
    transaction?: Asked,
  ): Promise<{ known: Known; in: string; out: string }> {
    const { known, rows } =
      block === undefined
        ? await ask(transaction ?? this.reads, currentBalance, [account])
        : await this.past.run(() =>
            ask(transaction ?? this.pool, balanceAsOf, [account, firstChangeId(block + 1), block]),
          );
    return { known, in: textAt(rows[0], 0), out: textAt(rows[0], 1) };
  }

  /**
   * `pair` is undefined where there never was a delegation.
   *
   * @param block as of which; else now
   */
  async findPair(
    delegator: string,
    delegatee: string,
    block: number | undefined,
  ): Promise<{ known: Known; pair?: { id: string; amount: string } }> {
    // One delegation has not so many changes that the past must wait its turn: it is one look into the index.
    const { known, rows } =
      block === undefined
        ? await ask(this.reads, currentPair, [delegator, delegatee])
        : await ask(this.reads, pairAsOf, [delegator, delegatee, firstChangeId(block + 1), block]);
    return rows[0] === undefined ? { known } : { known, pair: { id: textAt(rows[0], 0), amount: textAt(rows[0], 1) } };
  }

  async listReturns(
    account: string,
    { after, before, limit, readsUp }: Page,
  ): Promise<{ known: Known; items: PendingReturnRow[] }> {
    const { known, rows } = await ask(this.reads, pendingReturns(readsUp), [account, after, before, limit]);
    return { known, items: rows.map(returnOf) };
  }

  /** Whether the id is that of a delegation of the account, also one that is removed. */
  async isOwn(direction: Direction, account: string, id: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({ ...ownDelegation(direction), values: [id, account] });
    return rowCount === 1;
  }
}

function tooManyAboutPast(): DelegationError {
  const message = 'too many questions about earlier blocks; try again';
  return new DelegationError('unavailable', message, { retryAfterMs: maxWaitForPastMs });
}

function returnOf(row: Row): PendingReturnRow {
  return { id: textAt(row, 0), amount: textAt(row, 1), returnsSeconds: Number(textAt(row, 2)) };
}
