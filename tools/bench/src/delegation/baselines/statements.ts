import path from 'node:path';
import { repositoryFolder } from '@waggle/running/repository-folder';
import { z } from 'zod';
import { type EndpointName } from '../endpoints';

const statement = z.object({ name: z.string(), text: z.string() });
export type Statement = z.infer<typeof statement>;

const forDirection = z.custom<(direction: string, order: string) => unknown>((value) => typeof value === 'function');
const delegations = z.object({ currentBalance: statement, currentDelegations: forDirection });
const history = z.object({ delegationChanges: forDirection });

/** Loads the statements of the built service, so that there is no copy to keep up to date. */
export async function serviceStatements(): Promise<Record<EndpointName, Statement>> {
  const { currentBalance, currentDelegations } = delegations.parse(
    await moduleOf('delegations/delegations.statements.js'),
  );
  const { delegationChanges } = history.parse(await moduleOf('history/history.statements.js'));
  return {
    account: currentBalance,
    in: statement.parse(currentDelegations('in', 'ascending')),
    out: statement.parse(currentDelegations('out', 'ascending')),
    'history-in': statement.parse(delegationChanges('in', 'descending')),
    'history-out': statement.parse(delegationChanges('out', 'descending')),
  };
}

async function moduleOf(file: string): Promise<unknown> {
  return await import(path.join(repositoryFolder, 'apps/delegation/dist', file));
}
