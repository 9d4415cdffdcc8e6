import { z } from 'zod';
import { absentIfEmpty } from '../absent-if-empty';
import { accountName } from '../account-name';

/** Page size of a list in JSON. */
export const delegationPage = { default: 100, max: 1_000 } as const;

/** Maximum and default number of rows of a list as CSV. */
export const maxDelegationExport = 1_000_000;

/** A required parameter that is given once. */
const once = z.string({
  error: ({ input }) => (Array.isArray(input) ? 'must not be given more than once' : 'is required'),
});

/** A whole number that JSON and JavaScript represent exactly. */
const wholeNumber = once
  .regex(/^\d{1,16}$/, 'not a whole number')
  .transform(Number)
  .pipe(z.int('too large'))
  .meta({ type: 'integer', format: 'int64' });

const account = once
  .pipe(accountName)
  .meta({ description: 'Name of a Hive account, exactly as on the chain', examples: ['alice'] });

const asOfBlock = absentIfEmpty(wholeNumber).meta({
  description: 'Respond as of the end of this block instead of the last indexed one',
});

const limit = absentIfEmpty(wholeNumber.pipe(z.int().min(1, 'must be at least 1'))).meta({
  minimum: 1,
  default: delegationPage.default,
  description: `1 to ${delegationPage.max} items, by default ${delegationPage.default}; as CSV 1 to ${maxDelegationExport}, by default as many`,
});

const cursors = {
  after_id: absentIfEmpty(wholeNumber).meta({
    description: 'Only the items after the one with this id, in ascending order of id; 0 for the first items',
  }),
  before_id: absentIfEmpty(wholeNumber).meta({
    description:
      'Only items with a smaller id than that of this item. Without `after_id` the page ends next to it, regardless of the order of the list',
  }),
};

const descending = absentIfEmpty(
  once.regex(/^(true|false)$/i, 'neither true nor false').transform((word) => word.toLowerCase() === 'true'),
)
  .transform((value) => value ?? true)
  .meta({ type: 'boolean', default: true, description: 'Whether the latest change comes first' });

/** `GET /api/deleg/account`. */
export const balanceQuery = z.object({ account, as_of_block: asOfBlock });
export type BalanceQuery = z.infer<typeof balanceQuery>;

/** `GET /api/deleg/in` and `/out`. */
export const delegationsQuery = z.object({ account, limit, ...cursors, as_of_block: asOfBlock });
export type DelegationsQuery = z.infer<typeof delegationsQuery>;

/** `GET /api/deleg/history/in` and `/out`. */
export const delegationHistoryQuery = z.object({ account, limit, descending, ...cursors, as_of_block: asOfBlock });
export type DelegationHistoryQuery = z.infer<typeof delegationHistoryQuery>;

/** `GET /api/deleg/pair`. */
export const delegationPairQuery = z.object({
  delegator: account.meta({ description: 'The account that delegates' }),
  delegatee: account.meta({ description: 'The account that receives the delegation' }),
  as_of_block: asOfBlock,
});
export type DelegationPairQuery = z.infer<typeof delegationPairQuery>;

/** `GET /api/deleg/returns`. */
export const pendingReturnsQuery = z.object({
  account,
  limit: limit.meta({ description: `1 to ${delegationPage.max} items, by default ${delegationPage.default}` }),
  ...cursors,
});
export type PendingReturnsQuery = z.infer<typeof pendingReturnsQuery>;
