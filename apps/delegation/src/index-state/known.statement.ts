import { type Executor, sql, Statement } from '@waggle/service';
import { type Known, knownColumnNames, knownColumns, type KnownRow, readKnown, withKnown } from './known';

/** What a statement that begins with `withKnown` has found. */
export interface Found<Row> {
  readonly known: Known;
  /** None if the statement found nothing but what is known, so that the `id` of its row is null. */
  readonly rows: readonly Row[];
}

/** Executes a statement that begins with `withKnown`. @throws DelegationError `unavailable` while there is nothing to answer with */
export async function ask<Values, Row extends KnownRow & { id?: string | null }>(
  executor: Executor,
  statement: { query: (executor: Executor, values: Values) => Promise<Row[]> },
  values: Values,
): Promise<Found<Row>> {
  const rows = await statement.query(executor, values);
  return { known: readKnown(rows[0]), rows: rows[0]?.id === null ? [] : rows };
}

/** A joined column, which is null only in the row that `ask` leaves out. */
export function joined(value: string | null | undefined): string {
  return value ?? '';
}

const knownAlone = new Statement({
  name: 'known',
  text: `${withKnown} SELECT ${knownColumnNames} FROM known`,
  parameters: {},
  columns: knownColumns,
});

/** What an answer of this moment would know. @throws DelegationError `unavailable` while there is nothing to answer with */
export async function findKnown(executor: Executor): Promise<Known> {
  return (await ask(executor, knownAlone, {})).known;
}

const knownWithHistory = new Statement({
  name: 'known-with-history',
  text: `${withKnown} SELECT ${knownColumnNames}, known.history_from FROM known`,
  parameters: {},
  columns: { ...knownColumns, history_from: sql.int8 },
});

/**
 * What is known, and the first block of the history that is shown: a backfill that ends puts an earlier one in its place.
 *
 * @throws DelegationError `unavailable` while there is nothing to answer with
 */
export async function findKnownWithHistory(executor: Executor): Promise<{ known: Known; historyFrom: number }> {
  const { known, rows } = await ask(executor, knownWithHistory, {});
  return { known, historyFrom: Number(rows[0]?.history_from) };
}
