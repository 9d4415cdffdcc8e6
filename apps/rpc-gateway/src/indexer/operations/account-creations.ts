import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { accountCreation } from './account-creation';
import { type AccountMetadata } from './account-metadata';

type NewAccount = AccountMetadata & { readonly name: string };

const created = z
  .object({ new_account_name: z.string(), json_metadata: z.string().optional() })
  .transform(({ new_account_name: name, json_metadata }) => ({ name, json_metadata }));

const worker = z.object({ worker_account: z.string() }).transform(({ worker_account: name }) => ({ name }));

const shapes: readonly (readonly [type: string, shape: z.ZodType<NewAccount>])[] = [
  // An account creates another. These differ only in how it pays.
  ['account_create_operation', created],
  ['account_create_with_delegation_operation', created],
  ['create_claimed_account_operation', created],
  // In the first years the first proof of work in the name of an account created it; `pow2` has the second algorithm.
  ['pow_operation', worker],
  [
    'pow2_operation',
    z.object({ work: z.object({ value: z.object({ input: worker }) }) }).transform(({ work }) => work.value.input),
  ],
];

/** Operations that create an account, unless it exists. */
export const accountCreations = shapes.map(([type, shape]) =>
  onOperation(type, shape, (updates: IndexUpdates, { name, ...metadata }, position) => {
    const hasCommunities = position.block.number >= updates.rules.communitiesFrom;
    updates.add(position, accountCreation(name, metadata, hasCommunities));
  }),
);
