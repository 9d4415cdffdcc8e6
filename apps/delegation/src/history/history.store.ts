import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { type Direction, sidesOf } from '../delegations/direction';
import { type Known } from '../index-state/known';
import { ask, textAt } from '../index-state/known.statement';
import { statementsFor } from '../lists/list-statements';
import { type Page } from '../lists/page';
import { type Asked } from '../reads/question';
import { Reads } from '../reads/reads';
import { delegationChanges, ownChange } from './history.statements';

/** A change, as the history lists it. The amount is in millionths of VESTS, as text. */
export interface ChangeRow {
  readonly id: string;
  readonly createdSeconds: number;
  readonly delegator: string;
  readonly delegatee: string;
  readonly amount: string;
}

const changes = statementsFor(delegationChanges);

/** The changes of delegations. */
@Injectable()
export class HistoryStore {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly reads: Reads,
  ) {}

  /** Up to `page.limit` changes, the one next to the cursor first. */
  async list(
    direction: Direction,
    account: string,
    { after, before, limit, readsUp }: Page,
    asked: Asked = this.reads,
  ): Promise<{ known: Known; items: ChangeRow[] }> {
    const { known, rows } = await ask(asked, changes(direction, readsUp), [account, after, before, limit]);
    const items = rows.map((row) => ({
      id: textAt(row, 0),
      createdSeconds: Number(textAt(row, 1)),
      ...sidesOf(direction, account, textAt(row, 2)),
      amount: textAt(row, 3),
    }));
    return { known, items };
  }

  /** Whether the id is that of a change of what the account is given, or gives. */
  async isOwn(direction: Direction, account: string, id: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({ ...ownChange(direction), values: [id, account] });
    return rowCount === 1;
  }
}
