import { z } from 'zod';
import { accountName } from '../account-name';

/** VESTS with up to six decimals, exact: beyond 2^53 millionths only a reader of decimals keeps the last digits. */
const vests = z.number().min(0).meta({
  description: 'VESTS, exactly: a JSON number with up to 6 decimals, of which those at the end that are 0 are left out',
});

const id = z.int().min(1).meta({ description: 'Identifies the item for good; ascends in the order of the list' });

const delegator = accountName.meta({ description: 'Who gives' });
const delegatee = accountName.meta({ description: 'Who receives' });

/** The form in which Hive writes times: UTC to the second, without a zone. */
const chainTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

/** Answer of `GET /api/deleg/account`. */
export const delegationBalance = z
  .object({
    account: accountName,
    balances: z.object({
      in: vests.meta({ description: 'What is delegated to the account, in VESTS' }),
      out: vests.meta({ description: 'What the account delegates, in VESTS' }),
    }),
  })
  .meta({
    id: 'DelegationBalance',
    description: 'The sums of what an account is given and gives at the moment',
    examples: [{ account: 'alice', balances: { in: 2500.5, out: 1000 } }],
  });
export type DelegationBalance = z.infer<typeof delegationBalance>;

/** An item of `GET /api/deleg/in` and `/out`. */
export const currentDelegation = z.object({ id, delegator, amount: vests, delegatee }).meta({
  id: 'CurrentDelegation',
  description: 'What one account delegates to another at the moment',
  examples: [{ id: 17, delegator: 'bob', amount: 2500.5, delegatee: 'alice' }],
});
export type CurrentDelegation = z.infer<typeof currentDelegation>;

/** An item of `GET /api/deleg/history/in` and `/out`. */
export const delegationChange = z
  .object({
    id,
    created: chainTime.meta({ description: 'The time of the block that made the change: UTC, without a zone' }),
    delegator,
    amount: vests.meta({ description: 'VESTS that are delegated from then on; 0 where the delegation was removed' }),
    delegatee,
  })
  .meta({
    id: 'DelegationChange',
    description: 'A change of what one account delegates to another',
    examples: [
      { id: 104857600000001, created: '2026-01-31T12:00:00', delegator: 'bob', amount: 2500.5, delegatee: 'alice' },
    ],
  });
export type DelegationChange = z.infer<typeof delegationChange>;

/** Answer of `GET /api/deleg/pair`. */
export const delegationPair = z
  .object({
    id: id.nullable().meta({ description: 'That of the item in the lists; null where there never was a delegation' }),
    delegator,
    amount: vests.meta({ description: 'VESTS; 0 where nothing is delegated' }),
    delegatee,
  })
  .meta({
    id: 'DelegationPair',
    description: 'What one account delegates to another, also where that is nothing',
    examples: [{ id: 17, delegator: 'bob', amount: 2500.5, delegatee: 'alice' }],
  });
export type DelegationPair = z.infer<typeof delegationPair>;

/** An item of `GET /api/deleg/returns`. */
export const pendingReturn = z
  .object({
    id,
    delegator: accountName.meta({ description: 'Who gets it back' }),
    amount: vests,
    returns: chainTime.meta({ description: 'When the chain gives it back: UTC, without a zone' }),
  })
  .meta({
    id: 'PendingReturn',
    description: 'What an account no longer delegates and does not have back yet',
    examples: [{ id: 104857600000001, delegator: 'bob', amount: 500, returns: '2026-02-05T12:00:00' }],
  });
export type PendingReturn = z.infer<typeof pendingReturn>;

const block = z.int().min(0);

/** Answer of `GET /api/deleg/status`. */
export const delegationStatus = z
  .object({
    synced_block: block.nullable().meta({ description: 'The last block that the answers know; null before the first' }),
    synced_time: chainTime.nullable().meta({ description: 'The time of that block: UTC, without a zone' }),
    lag_seconds: z.int().min(0).nullable().meta({ description: 'How long ago that was' }),
    irreversible_block: block
      .nullable()
      .meta({ description: 'The last irreversible block of the chain when the indexer last wrote' }),
    blocks_behind: block.nullable().meta({ description: 'By how many blocks the answers were behind it then' }),
    ready: z.boolean().meta({ description: 'Whether there are answers: false while the first state is being loaded' }),
    history_from_block: block.nullable().meta({ description: 'The first block whose changes the history has' }),
    as_of_from_block: block.nullable().meta({ description: 'The earliest `as_of_block` that can be answered' }),
    backfill: z
      .object({
        block: block.meta({ description: 'The last block that was read' }),
        until_block: block.meta({ description: 'The block after which history is there already' }),
      })
      .nullable()
      .meta({ description: 'How far the reading of earlier history is; null where there is none, or it is done' }),
  })
  .meta({
    id: 'DelegationStatus',
    description: 'How far the service knows the chain',
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
