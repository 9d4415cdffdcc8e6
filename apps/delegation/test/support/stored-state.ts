import { Client } from 'pg';

interface Delegation {
  delegator: string;
  delegatee: string;
  amount: string;
}

/** The rows that equal indexes have in common, however they were built: ids depend on that. */
export interface StoredState {
  delegations: Delegation[];
  balances: { account: string; total_in: string; total_out: string }[];
  returns: { delegator: string; amount: string; returns: string }[];
  /** By their ids, which depend only on the chain. */
  changes: (Delegation & { id: string; created: string })[];
}

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') AS ${column}`;

/** @param fromBlock the first block of the history, if it is not the first of the chain */
export async function storedState(url: string, fromBlock = 0): Promise<StoredState> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const rows = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows;
  const state = {
    delegations: await rows<Delegation>(
      'SELECT delegator, delegatee, amount FROM delegation WHERE amount > 0 ORDER BY delegator, delegatee',
    ),
    balances: await rows<StoredState['balances'][number]>(
      'SELECT account, total_in, total_out FROM account_balance WHERE total_in + total_out > 0 ORDER BY account',
    ),
    returns: await rows<StoredState['returns'][number]>(
      `SELECT delegator, amount, ${time('returns')} FROM pending_return ORDER BY 1, 2, 3`,
    ),
    changes: await rows<StoredState['changes'][number]>(
      `SELECT id, delegator, delegatee, amount, ${time('created')} FROM delegation_change
       WHERE id >= ${fromBlock * 2 ** 20} ORDER BY id`,
    ),
  };
  await client.end();
  return state;
}

/** Every row of every table, without the times of writing and the irreversible block at that time. */
export async function everyRow(url: string): Promise<Record<string, unknown[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const rows = async (sql: string) => (await client.query<object>(sql)).rows;
  const all = {
    delegation: await rows('SELECT * FROM delegation ORDER BY id'),
    delegation_change: await rows('SELECT * FROM delegation_change ORDER BY id'),
    account_balance: await rows('SELECT * FROM account_balance ORDER BY account'),
    pending_return: await rows('SELECT * FROM pending_return ORDER BY id'),
    index_state: await rows(`SELECT to_jsonb(s) - 'irreversible_block' FROM index_state s`),
    chain_checkpoint: await rows(`SELECT to_jsonb(c) - 'applied_at' FROM chain_checkpoint c`),
  };
  await client.end();
  return all;
}
