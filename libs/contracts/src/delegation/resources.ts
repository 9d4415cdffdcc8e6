import { z } from 'zod';
import { accountName } from '../account-name';

/**
 * A schema for an amount of VESTS.
 * @param meaning what the amount is; without a full stop
 */
function vests(meaning: string): z.ZodNumber {
  return z
    .number()
    .min(0)
    .meta({
      description: `${meaning}. A JSON number with up to 6 decimals, without trailing zeros. Above 9007199254.740991 read it with a decimal parser: a 64-bit float rounds it`,
    });
}

const id = z.int().min(1).meta({ description: 'The id of the item. It never changes, and lists are sorted by it' });

const delegator = accountName.meta({ description: 'The account that delegates' });
const delegatee = accountName.meta({ description: 'The account that receives the delegation' });

/**
 * A schema for a time in the format of Hive.
 * @param meaning what the time is; without a full stop
 */
function chainTime(meaning: string): z.ZodString {
  return z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    .meta({ description: `${meaning}. UTC, without a zone` });
}

/** Response of `GET /api/deleg/account`. */
export const delegationBalance = z
  .object({
    account: accountName,
    balances: z.object({
      in: vests('VESTS that are delegated to the account'),
      out: vests('VESTS that the account delegates'),
    }),
  })
  .meta({
    id: 'DelegationBalance',
    description: 'The sums of the current delegations to and from an account',
    examples: [{ account: 'alice', balances: { in: 2500.5, out: 1000 } }],
  });

/** An item of `GET /api/deleg/in` and `/out`. */
export const currentDelegation = z
  .object({ id, delegator, amount: vests('VESTS that are delegated'), delegatee })
  .meta({
    id: 'CurrentDelegation',
    description: 'The current delegation from one account to another',
    examples: [{ id: 17, delegator: 'bob', amount: 2500.5, delegatee: 'alice' }],
  });

/** An item of `GET /api/deleg/history/in` and `/out`. */
export const delegationChange = z
  .object({
    id,
    created: chainTime('The time of the block with the change'),
    delegator,
    amount: vests('VESTS that are delegated after the change; 0 if the delegation ended'),
    delegatee,
  })
  .meta({
    id: 'DelegationChange',
    description: 'A change of the delegation from one account to another',
    examples: [
      { id: 104857600000001, created: '2026-01-31T12:00:00', delegator: 'bob', amount: 2500.5, delegatee: 'alice' },
    ],
  });

/** Response of `GET /api/deleg/pair`. */
export const delegationPair = z
  .object({
    id: id.nullable().meta({ description: 'The id of the item in the lists; null if the accounts have never had one' }),
    delegator,
    amount: vests('VESTS that are delegated; 0 if there is no delegation'),
    delegatee,
  })
  .meta({
    id: 'DelegationPair',
    description: 'The delegation from one account to another, even if there is none',
    examples: [{ id: 17, delegator: 'bob', amount: 2500.5, delegatee: 'alice' }],
  });

/** An item of `GET /api/deleg/returns`. */
export const pendingReturn = z
  .object({
    id,
    delegator: accountName.meta({ description: 'The account that gets the VESTS back' }),
    amount: vests('VESTS that the chain holds back'),
    returns: chainTime('When the account gets the VESTS back'),
  })
  .meta({
    id: 'PendingReturn',
    description: 'VESTS that the chain holds back for some days after a delegation ended or became smaller',
    examples: [{ id: 104857600000001, delegator: 'bob', amount: 500, returns: '2026-02-05T12:00:00' }],
  });

const blockNumber = z.int().min(0);
const count = z.int().min(0);

/** Response of `GET /api/deleg/status`. */
export const delegationStatus = z
  .object({
    synced_block: blockNumber
      .nullable()
      .meta({ description: 'The last indexed block; null before the indexer starts' }),
    synced_time: chainTime('The time of the last indexed block; null before the first one').nullable(),
    lag_seconds: count.nullable().meta({ description: 'The age of the last indexed block; null before the first one' }),
    irreversible_block: blockNumber.nullable().meta({
      description:
        'The last irreversible block of the chain when the indexer last wrote; null before the indexer starts',
    }),
    blocks_behind: count.nullable().meta({
      description: 'How many blocks `synced_block` is behind `irreversible_block`; null before the indexer starts',
    }),
    ready: z.boolean().meta({ description: 'Whether the index can be queried: false during the initial load' }),
    history_from_block: blockNumber.nullable().meta({
      description: 'The first block of the history; null before the indexer starts',
    }),
    as_of_from_block: blockNumber.nullable().meta({
      description: 'The earliest valid `as_of_block`; null before the indexer starts',
    }),
    backfill: z
      .object({
        block: blockNumber.meta({ description: 'The last block that the backfill has read' }),
        until_block: blockNumber.meta({ description: 'The last block that the backfill will read' }),
      })
      .nullable()
      .meta({
        description: 'How far the indexer has read blocks before its start; null if it does not, or has read them all',
      }),
  })
  .meta({
    id: 'DelegationStatus',
    description: 'Up to which block the chain is indexed',
    examples: [
      {
        synced_block: 100_000_000,
        synced_time: '2026-01-31T12:00:00',
        lag_seconds: 4,
        irreversible_block: 100_000_000,
        blocks_behind: 0,
        ready: true,
        history_from_block: 99_000_001,
        as_of_from_block: 99_000_120,
        backfill: { block: 42_000_000, until_block: 99_000_000 },
      },
    ],
  });
export type DelegationStatus = z.infer<typeof delegationStatus>;
