import { z } from 'zod';
import { accountName } from '../account-name';

/** VESTS with up to six decimals. Beyond 2^53 millionths a client needs a decimal parser to read all digits. */
const vests = z.number().min(0).meta({
  description: 'VESTS, exact: a JSON number with up to 6 decimals, without trailing zeros',
});

const id = z.int().min(1).meta({ description: 'Identifies the item permanently; lists are sorted by it' });

const delegator = accountName.meta({ description: 'The account that delegates' });
const delegatee = accountName.meta({ description: 'The account that receives the delegation' });

/** A time as Hive formats it: UTC, in seconds, without a zone. */
const chainTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

/** Response of `GET /api/deleg/account`. */
export const delegationBalance = z
  .object({
    account: accountName,
    balances: z.object({
      in: vests.meta({ description: 'VESTS that are delegated to the account' }),
      out: vests.meta({ description: 'VESTS that the account delegates' }),
    }),
  })
  .meta({
    id: 'DelegationBalance',
    description: 'The sums of the current delegations to and from an account',
    examples: [{ account: 'alice', balances: { in: 2500.5, out: 1000 } }],
  });

/** An item of `GET /api/deleg/in` and `/out`. */
export const currentDelegation = z.object({ id, delegator, amount: vests, delegatee }).meta({
  id: 'CurrentDelegation',
  description: 'The current delegation from one account to another',
  examples: [{ id: 17, delegator: 'bob', amount: 2500.5, delegatee: 'alice' }],
});

/** An item of `GET /api/deleg/history/in` and `/out`. */
export const delegationChange = z
  .object({
    id,
    created: chainTime.meta({ description: 'The time of the block that made the change: UTC, without a zone' }),
    delegator,
    amount: vests.meta({ description: 'VESTS that are delegated from then on; 0 if the delegation was removed' }),
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
    id: id.nullable().meta({ description: 'The id of the item in the lists; null if there never was a delegation' }),
    delegator,
    amount: vests.meta({ description: 'VESTS; 0 if nothing is delegated' }),
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
    delegator: accountName.meta({ description: 'The account that gets it back' }),
    amount: vests,
    returns: chainTime.meta({ description: 'When the chain gives it back: UTC, without a zone' }),
  })
  .meta({
    id: 'PendingReturn',
    description: 'VESTS of a removed delegation that the account does not have back yet',
    examples: [{ id: 104857600000001, delegator: 'bob', amount: 500, returns: '2026-02-05T12:00:00' }],
  });

const block = z.int().min(0);

/** Response of `GET /api/deleg/status`. */
export const delegationStatus = z
  .object({
    synced_block: block.nullable().meta({ description: 'The last indexed block; null before the first' }),
    synced_time: chainTime.nullable().meta({ description: 'The time of that block: UTC, without a zone' }),
    lag_seconds: z.int().min(0).nullable().meta({ description: 'The age of that block' }),
    irreversible_block: block
      .nullable()
      .meta({ description: 'The last irreversible block of the chain when the indexer last wrote' }),
    blocks_behind: block.nullable().meta({ description: 'How many blocks the index was behind it then' }),
    ready: z.boolean().meta({ description: 'Whether the index can be queried: false during the initial load' }),
    history_from_block: block.nullable().meta({ description: 'The first block whose changes the history has' }),
    as_of_from_block: block.nullable().meta({ description: 'The earliest valid `as_of_block`' }),
    backfill: z
      .object({
        block: block.meta({ description: 'The last block that was read' }),
        until_block: block.meta({ description: 'The block after which the history exists already' }),
      })
      .nullable()
      .meta({ description: 'Progress of reading earlier history; null if there is none or it is done' }),
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
