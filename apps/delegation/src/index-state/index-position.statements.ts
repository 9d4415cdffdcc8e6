import { type Executor, Statement } from '@waggle/service';
import {
  type IndexPosition,
  indexPositionColumnNames,
  indexPositionColumns,
  type IndexPositionRow,
  readIndexPosition,
  withIndexPosition,
} from './index-position';
import { indexStateTable } from './index-state.entity';

/** The result of a statement that begins with `withIndexPosition`. */
export interface RowsWithPosition<Row> {
  readonly position: IndexPosition;
  /** Empty if the statement returned only the position of the index, in a row whose `id` is null. */
  readonly rows: readonly Row[];
}

/**
 * Executes a statement that begins with `withIndexPosition`. @throws DelegationError `unavailable` before the index is
 * complete
 */
export async function queryWithIndexPosition<Values, Row extends IndexPositionRow & { id?: string | null }>(
  executor: Executor,
  statement: { query: (executor: Executor, values: Values) => Promise<Row[]> },
  values: Values,
): Promise<RowsWithPosition<Row>> {
  const rows = await statement.query(executor, values);
  return { position: readIndexPosition(rows[0]), rows: rows[0]?.id === null ? [] : rows };
}

/** Reads a column of the joined data, which is null only in the row that `queryWithIndexPosition` removes. */
export function emptyIfNull(value: string | null | undefined): string {
  return value ?? '';
}

/** One row: the position of the index; none before the index has begun. */
const indexPositionAlone = new Statement({
  name: 'index-position',
  text: `${withIndexPosition} SELECT ${indexPositionColumnNames} FROM index_position`,
  parameters: {},
  columns: indexPositionColumns,
});

/** Reads the current position of the index. @throws DelegationError `unavailable` before the index is complete */
export async function findIndexPosition(executor: Executor): Promise<IndexPosition> {
  return (await queryWithIndexPosition(executor, indexPositionAlone, {})).position;
}

/** One row: the position of the index, and the first block of the visible history. */
const indexPositionWithHistory = new Statement({
  name: 'index-position-with-history',
  text: `${withIndexPosition} SELECT ${indexPositionColumnNames}, index_position.history_from FROM index_position`,
  parameters: {},
  columns: { ...indexPositionColumns, history_from: indexStateTable.historyFrom },
});

/**
 * Reads the position of the index and the first block of the visible history, which a completed backfill moves back.
 *
 * @throws DelegationError `unavailable` before the index is complete
 */
export async function findIndexPositionWithHistory(
  executor: Executor,
): Promise<{ position: IndexPosition; historyFrom: number }> {
  const { position, rows } = await queryWithIndexPosition(executor, indexPositionWithHistory, {});
  return { position, historyFrom: Number(rows[0]?.history_from) };
}
