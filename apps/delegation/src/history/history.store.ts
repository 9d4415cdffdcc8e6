import { Inject, Injectable } from '@nestjs/common';
import { POOL, type RowIn } from '@waggle/service';
import { type Pool } from 'pg';
import { type Direction, sidesOf } from '../lists/direction';
import { type IndexPosition, requireSynced } from '../index-state/index-position';
import {
  queryWithIndexPosition,
  findIndexPositionWithHistory,
  emptyIfNull,
} from '../index-state/index-position.statements';
import { listValues } from '../lists/list-statements';
import { type Page, within } from '../lists/page';
import { partUpTo, type Snapshot } from '../lists/snapshot';
import { ExportReads } from '../reads/export-reads';
import { SharedReads } from '../reads/shared-reads';
import { firstChangeId } from '../index-state/change-id';
import { delegationChanges, ownChange } from './history.statements';

/** A change, as the history lists it. The amount is in millionths of VESTS, as text. */
export interface ChangeRow {
  readonly id: string;
  readonly createdSeconds: number;
  readonly delegator: string;
  readonly delegatee: string;
  readonly amount: string;
}

/** The changes of delegations. */
@Injectable()
export class HistoryStore {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly reads: SharedReads,
    private readonly exportReads: ExportReads,
  ) {}

  /**
   * Reads up to `page.limit` changes, the one next to the cursor first. @param block up to this block; by default all
   */
  async list(
    direction: Direction,
    account: string,
    page: Page,
    block: number | undefined,
  ): Promise<{ position: IndexPosition; items: ChangeRow[] }> {
    const range = block === undefined ? page : within(page, { before: firstChangeId(block + 1) });
    const { position, rows } = await queryWithIndexPosition(
      this.reads,
      delegationChanges(direction, page.readOrder),
      listValues(account, range),
    );
    return { position, items: rows.map(changeOf(direction, account)) };
  }

  /** Returns all changes of an account. @param block up to this block; by default the last one */
  async snapshot(direction: Direction, account: string, block: number | undefined): Promise<Snapshot<ChangeRow>> {
    const { position, historyFrom } = await findIndexPositionWithHistory(this.reads);
    const shown = { after: firstChangeId(historyFrom) - 1, before: firstChangeId((block ?? position.syncedBlock) + 1) };
    return {
      position,
      read: async (page) => {
        const values = listValues(account, within(page, shown));
        const found = await queryWithIndexPosition(
          this.exportReads,
          delegationChanges(direction, page.readOrder),
          values,
        );
        requireSynced(found.position, position);
        return partUpTo(found.rows.map(changeOf(direction, account)), page.limit);
      },
    };
  }

  /** Whether the id is of a change of an incoming, or outgoing, delegation of the account. */
  async isOwn(direction: Direction, account: string, id: number): Promise<boolean> {
    return (await ownChange(direction).execute(this.pool, { id, account })) === 1;
  }
}

/** @param account whose history the row is of */
const changeOf =
  (direction: Direction, account: string) =>
  ({ id, seconds, other, amount }: RowIn<ReturnType<typeof delegationChanges>>): ChangeRow => ({
    id: emptyIfNull(id),
    createdSeconds: Number(seconds),
    ...sidesOf(direction, account, emptyIfNull(other)),
    amount: emptyIfNull(amount),
  });
