import { Inject, Injectable } from '@nestjs/common';
import { ConcurrencyLimiter, POOL, type RowIn } from '@waggle/service';
import { type Pool } from 'pg';
import { DelegationError } from '../errors';
import { firstChangeId } from '../index-state/change-id';
import { type IndexPosition, requireSynced } from '../index-state/index-position';
import { queryWithIndexPosition, findIndexPosition, emptyIfNull } from '../index-state/index-position.statements';
import { listValues } from '../lists/list-statements';
import { type Page } from '../lists/page';
import { partUpTo, type Snapshot, type SnapshotPart } from '../lists/snapshot';
import { ExportReads } from '../reads/export-reads';
import { SharedReads } from '../reads/shared-reads';
import {
  balanceAsOf,
  changedDelegations,
  currentBalance,
  currentDelegations,
  currentDelegationsInOneRow,
  currentPair,
  delegationsAsOf,
  ownDelegation,
  pairAsOf,
  pendingReturns,
} from './delegations.statements';
import { type Direction, sidesOf } from '../lists/direction';
import { undoChanges } from './undo-changes';

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

/**
 * Maximum time that a query as of an earlier block waits for its turn, in milliseconds, before the request is rejected.
 */
const maxWaitForPastMs = 2_000;

export interface DelegationsSettings {
  /** Connections of the pool. Queries as of an old block use at most half of them. */
  readonly poolSize: number;
}

/** Injects the `DelegationsSettings`. */
export const DELEGATIONS_SETTINGS = Symbol('DelegationsSettings');

/**
 * Reads delegations as they are, and as of earlier blocks. Of a list it reads up to `page.limit` items, the one next to
 * the cursor first.
 */
@Injectable()
export class DelegationsStore {
  /**
   * A query as of an old block is slow for an account with many delegations, so it is limited to leave connections for
   * others.
   */
  private readonly past: ConcurrencyLimiter;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly reads: SharedReads,
    private readonly exportReads: ExportReads,
    @Inject(DELEGATIONS_SETTINGS) { poolSize }: DelegationsSettings,
  ) {
    const maxRunning = Math.ceil(poolSize / 2);
    this.past = new ConcurrencyLimiter({ maxRunning, maxWaitMs: maxWaitForPastMs }, tooManyAsOfPast);
  }

  /** @param block as of this block; by default now */
  async list(
    direction: Direction,
    account: string,
    page: Page,
    block: number | undefined,
  ): Promise<{ position: IndexPosition; items: DelegationRow[] }> {
    const values = listValues(account, page);
    const { position, rows } =
      block === undefined
        ? await queryWithIndexPosition(this.reads, currentDelegations(direction, page.readOrder), values)
        : await this.past.run(() =>
            queryWithIndexPosition(this.pool, delegationsAsOf(direction, page.readOrder), {
              ...values,
              firstChange: firstChangeId(block + 1),
              block,
            }),
          );
    return { position, items: rows.map(delegationOf(direction, account)) };
  }

  /** The whole list, by ascending id. @param block as of this block; by default the last one */
  async snapshot(direction: Direction, account: string, block: number | undefined): Promise<Snapshot<DelegationRow>> {
    const position = await findIndexPosition(this.reads);
    return {
      position,
      read: async (page) => {
        if (block === undefined) return this.readAsOf(position, direction, account, page);
        const { position: later, rows } = await queryWithIndexPosition(
          this.exportReads,
          delegationsAsOf(direction, page.readOrder),
          { ...listValues(account, page), firstChange: firstChangeId(block + 1), block },
        );
        requireSynced(later, position);
        return partUpTo(rows.map(delegationOf(direction, account)), page.limit);
      },
    };
  }

  /**
   * Reads as of a recent block: the current list, with later changes undone. `list` as of a block looks up a change for
   * every delegation that the account ever had, which takes 2.5 times as long for a million of them, and 25 times as
   * long if few of many are left.
   */
  private async readAsOf(
    moment: IndexPosition,
    direction: Direction,
    account: string,
    page: Page,
  ): Promise<SnapshotPart<DelegationRow>> {
    const toRow = delegationOf(direction, account);
    const current = currentDelegationsInOneRow(direction);
    const values = listValues(account, page);
    const { position, rows } = await queryWithIndexPosition(this.exportReads, current, values);
    requireSynced(position, moment);
    const part = partUpTo(rows.flatMap(splitRow).map(toRow), page.limit);
    const [asOf, now] = [moment.syncedBlock, position.syncedBlock];
    if (now === asOf) return part;
    const since = await queryWithIndexPosition(this.exportReads, changedDelegations(direction), {
      ...values,
      before: part.readTo === undefined ? page.before : part.readTo + 1,
      block: asOf,
      firstChange: firstChangeId(asOf + 1),
      firstIgnored: firstChangeId(now + 1),
    });
    requireSynced(since.position, position);
    return undoChanges(part, since.rows.map(toRow), page.limit);
  }

  /** @param block as of this block; by default now */
  async getBalance(
    account: string,
    block: number | undefined,
  ): Promise<{ position: IndexPosition; in: string; out: string }> {
    const { position, rows } =
      block === undefined
        ? await queryWithIndexPosition(this.reads, currentBalance, { account })
        : await this.past.run(() =>
            queryWithIndexPosition(this.pool, balanceAsOf, { account, firstChange: firstChangeId(block + 1), block }),
          );
    return { position, in: emptyIfNull(rows[0]?.total_in), out: emptyIfNull(rows[0]?.total_out) };
  }

  /**
   * `pair` is undefined if there never was a delegation.
   *
   * @param block as of this block; by default now
   */
  async findPair(
    delegator: string,
    delegatee: string,
    block: number | undefined,
  ): Promise<{ position: IndexPosition; pair?: { id: string; amount: string } }> {
    // One delegation has few changes, so a query as of a block is one index lookup and needs no limit.
    const { position, rows } =
      block === undefined
        ? await queryWithIndexPosition(this.reads, currentPair, { delegator, delegatee })
        : await queryWithIndexPosition(this.reads, pairAsOf, {
            delegator,
            delegatee,
            firstChange: firstChangeId(block + 1),
            block,
          });
    const [pair] = rows;
    return pair === undefined
      ? { position }
      : { position, pair: { id: emptyIfNull(pair.id), amount: emptyIfNull(pair.amount) } };
  }

  async listReturns(account: string, page: Page): Promise<{ position: IndexPosition; items: PendingReturnRow[] }> {
    const { position, rows } = await queryWithIndexPosition(
      this.reads,
      pendingReturns(page.readOrder),
      listValues(account, page),
    );
    return { position, items: rows.map(returnOf) };
  }

  /** Whether a delegation of the account has this id, even a removed one. */
  async isOwn(direction: Direction, account: string, id: number): Promise<boolean> {
    return (await ownDelegation(direction).execute(this.pool, { id, account })) === 1;
  }
}

function tooManyAsOfPast(): DelegationError {
  const message = 'too many requests as of earlier blocks; try again';
  return new DelegationError('unavailable', message, { retryAfterMs: maxWaitForPastMs });
}

/** A delegation of an account, without the account. */
type ListedDelegation = Pick<RowIn<ReturnType<typeof currentDelegations>>, 'id' | 'other' | 'amount'>;

/** Returns the delegations of a row of `currentDelegationsInOneRow`. */
function splitRow({ ids, others, amounts }: RowIn<ReturnType<typeof currentDelegationsInOneRow>>): ListedDelegation[] {
  const valuesOf = (column: string | null) => column?.split(' ') ?? [];
  const [otherOfEach, amountOfEach] = [valuesOf(others), valuesOf(amounts)];
  return valuesOf(ids).map((id, i) => ({ id, other: otherOfEach[i] ?? null, amount: amountOfEach[i] ?? null }));
}

/** @param account whose list the row is of */
const delegationOf =
  (direction: Direction, account: string) =>
  ({ id, other, amount }: ListedDelegation): DelegationRow => ({
    id: emptyIfNull(id),
    ...sidesOf(direction, account, emptyIfNull(other)),
    amount: emptyIfNull(amount),
  });

function returnOf({ id, amount, seconds }: RowIn<ReturnType<typeof pendingReturns>>): PendingReturnRow {
  return { id: emptyIfNull(id), amount: emptyIfNull(amount), returnsSeconds: Number(seconds) };
}
