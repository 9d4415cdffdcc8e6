import { type NamedStatement } from '../named-statement';

/** `$1` names. Rows: id and name of those that the index has met. */
export const accountIds: NamedStatement = {
  name: 'account-ids',
  text: 'SELECT id, name FROM account WHERE name = ANY ($1::text[])',
};
