import { differs, followerProbes, type Probe, works } from '@waggle/chain';
import { delegationList, maxPageSize, readFirstPage, returnList } from './loading/node-lists';
import { handlers, virtualOperations } from './operations';

const consequence = 'an empty index cannot start with START_FROM=current-state';

/** What the indexer calls. The API calls no node. */
export const indexerProbes: readonly Probe[] = [
  ...followerProbes({ virtualOperations, handlers }),
  {
    method: delegationList.method,
    purpose: 'current state',
    requiredNodes: 'one',
    consequence,
    run: async (node) => {
      const { start } = await readFirstPage(node, delegationList, maxPageSize);
      return start[0] === ''
        ? differs('it lists by names, as hived before 1.26, instead of account ids: the indexer reads both')
        : works;
    },
  },
  {
    method: returnList.method,
    purpose: 'current state',
    requiredNodes: 'one',
    consequence,
    run: async (node) => {
      await readFirstPage(node, returnList, maxPageSize);
      return works;
    },
  },
];
