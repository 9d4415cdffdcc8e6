import { type Executor, sql, Statement } from '@waggle/service';
import { type Known, knownColumnNames, knownColumns, type KnownRow, readKnown, withKnown } from './known';

/** The result of a statement that begins with `withKnown`. */
export interface Found<Row> {
  readonly known: Known;
  /** Empty if the statement returned only the state of the index, in a row whose `id` is null. */
  readonly rows: readonly Row[];
}

/**
 * Executes a statement that begins with `withKnown`. @throws DelegationError `unavailable` before the index is complete
 */
export async function queryWithKnown<Values, Row extends KnownRow & { id?: string | null }>(
  executor: Executor,
  statement: { query: (executor: Executor, values: Values) => Promise<Row[]> },
  values: Values,
): Promise<Found<Row>> {
  const rows = await statement.query(executor, values);
  return { known: readKnown(rows[0]), rows: rows[0]?.id === null ? [] : rows };
}

/** A joined column, which is null only in the row that is removed. */
export function joined(value: string | null | undefined): string {
  return value ?? '';
}

const knownAlone = new Statement({
  name: 'known',
  text: `${withKnown} SELECT ${knownColumnNames} FROM known`,
  parameters: {},
  columns: knownColumns,
});

/** Reads the current state of the index. @throws DelegationError `unavailable` before the index is complete */
export async function findKnown(executor: Executor): Promise<Known> {
  return (await queryWithKnown(executor, knownAlone, {})).known;
}

const knownWithHistory = new Statement({
  name: 'known-with-history',
  text: `${withKnown} SELECT ${knownColumnNames}, known.history_from FROM known`,
  parameters: {},
  columns: { ...knownColumns, history_from: sql.int8 },
});

/**
 * Reads the state of the index and the first block of the visible history, which a completed backfill moves back.
 *
 * @throws DelegationError `unavailable` before the index is complete
 */
export async function findKnownWithHistory(executor: Executor): Promise<{ known: Known; historyFrom: number }> {
  const { known, rows } = await queryWithKnown(executor, knownWithHistory, {});
  return { known, historyFrom: Number(rows[0]?.history_from) };
}
