import { type HiveApi } from '@waggle/chain';
import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { chainAccount } from '../operations/chain-account';

const hiveTime = z.iso.datetime({ local: true, precision: 0 }).transform((text) => new Date(`${text}Z`));

const delegations = z.object({
  delegations: z.array(
    z
      .object({
        delegator: chainAccount,
        delegatee: chainAccount,
        vesting_shares: vests,
        min_delegation_time: hiveTime,
      })
      .transform(({ delegator, delegatee, vesting_shares: amount, min_delegation_time: earliestReturn }) => ({
        ...{ delegator, delegatee, amount, earliestReturn },
      })),
  ),
});

/** A delegation as a node has it at the moment. */
export type ListedDelegation = z.infer<typeof delegations>['delegations'][number];

const expirations = z.object({
  delegations: z.array(
    z
      .object({ id: z.int().min(0), delegator: chainAccount, vesting_shares: vests, expiration: hiveTime })
      .transform(({ id, delegator, vesting_shares: amount, expiration: returns }) => ({
        id,
        delegator,
        amount,
        returns,
      })),
  ),
});

/** A pending return as a node has it at the moment. */
export type ListedReturn = z.infer<typeof expirations>['delegations'][number];

/**
 * Pages of all delegations, in the order of the node. Each page is of the moment at which it is asked for. The end is where
 * nothing more comes: a node may answer less at once than it is asked for.
 */
export async function* listDelegations(api: HiveApi, atOnce: number): AsyncGenerator<ListedDelegation[]> {
  let start = ['', ''];
  for (;;) {
    const params = { start, limit: atOnce, order: 'by_delegation' };
    const { delegations: page } = await api.call('database_api.list_vesting_delegations', params, delegations);
    // The pair at which a page begins was the last of the page before, unless it has been removed since.
    const more = page.filter(({ delegator, delegatee }) => delegator !== start[0] || delegatee !== start[1]);
    const last = more.at(-1);
    if (last === undefined) return;
    yield more;
    start = [last.delegator, last.delegatee];
  }
}

/** Pages of all pending returns, those that are due first at the beginning; the end is as above. */
export async function* listReturns(api: HiveApi, atOnce: number): AsyncGenerator<ListedReturn[]> {
  let start: [time: string, id: number] = ['1970-01-01T00:00:00', 0];
  let seen = -1;
  for (;;) {
    const params = { start, limit: atOnce, order: 'by_expiration' };
    const { delegations: page } = await api.call(
      'database_api.list_vesting_delegation_expirations',
      params,
      expirations,
    );
    const startedAt = seen;
    const more = page.filter(({ id }) => id !== startedAt);
    const last = more.at(-1);
    if (last === undefined) return;
    yield more;
    start = [last.returns.toISOString().slice(0, 19), last.id];
    seen = last.id;
  }
}
