import { type Asked, type NamedStatement, type Row } from '../reads/question';
import { knownColumns, knownWidth, type Known, readKnown, withKnown } from './known';

/** What a statement that begins with `withKnown` has found. */
export interface Found {
  readonly known: Known;
  /** Rows whose own columns begin at `knownWidth`; none where there is nothing but what is known. */
  readonly rows: readonly Row[];
}

/** Asks a statement that begins with `withKnown`. @throws DelegationError `unavailable` while there is nothing to answer with */
export async function ask(
  asked: Asked,
  { name, text }: NamedStatement,
  values: readonly (string | number)[],
): Promise<Found> {
  const { rows } = await asked.query({ name, text, values: [...values], rowMode: 'array' });
  return { known: readKnown(rows[0]), rows: rows[0]?.[knownWidth] == null ? [] : rows };
}

/** A column of what was asked for, which comes after those of what is known. */
export function textAt(row: Row | undefined, column: number): string {
  return row?.[knownWidth + column] ?? '';
}

const knownAlone: NamedStatement = { name: 'known', text: `${withKnown} SELECT ${knownColumns} FROM known` };

/** What an answer of this moment would know. @throws DelegationError `unavailable` while there is nothing to answer with */
export async function findKnown(asked: Asked): Promise<Known> {
  return (await ask(asked, knownAlone, [])).known;
}

const knownWithHistory: NamedStatement = {
  name: 'known-with-history',
  text: `${withKnown} SELECT ${knownColumns}, known.history_from FROM known`,
};

/**
 * What is known, and the first block of the history that is shown: a backfill that ends puts an earlier one in its place.
 *
 * @throws DelegationError `unavailable` while there is nothing to answer with
 */
export async function findKnownWithHistory(asked: Asked): Promise<{ known: Known; historyFrom: number }> {
  const { known, rows } = await ask(asked, knownWithHistory, []);
  return { known, historyFrom: Number(textAt(rows[0], 0)) };
}
