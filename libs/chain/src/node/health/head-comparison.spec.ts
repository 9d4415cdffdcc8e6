import { compareHeads, type HeadPosition, type ReportedHead } from './head-comparison';

const nowMs = Date.UTC(2026, 0, 1);
const blockIntervalSeconds = 3;
/** The block that the chain produces at `nowMs`, if it has missed none. */
const newestBlock = 1_000;
const maxLagBlocks = 10;
const aDay = 86_400;

/**
 * Returns the head that a node reports.
 *
 * @param ageSeconds the age of the block by our clock; negative if the block is in the future. The default is its age
 * on a chain without missed blocks, so that a block above `newestBlock` is in the future.
 */
function head(block: number, ageSeconds = (newestBlock - block) * blockIntervalSeconds): ReportedHead {
  return { block, timeMs: nowMs - ageSeconds * 1_000 };
}

/** The heads of all nodes, each with its expected position. */
type Nodes = readonly (readonly [ReportedHead, HeadPosition])[];

const groups: Record<string, readonly { title: string; nodes: Nodes }[]> = {
  'without nodes': [{ title: 'there are no positions', nodes: [] }],

  'a head below the highest one': [
    {
      title: 'is current up to 10 blocks behind',
      nodes: [
        [head(1_000), 'current'],
        [head(997), 'current'],
        [head(990, 31), 'current'],
      ],
    },
    {
      title: 'is lagging from 11 blocks behind',
      nodes: [
        [head(1_000), 'current'],
        [head(989), 'lagging'],
      ],
    },
    {
      title: 'is current if it is 11 blocks behind, but not older than the time of 10 blocks',
      nodes: [
        [head(1_000), 'current'],
        [head(989, 30), 'current'],
      ],
    },
    {
      title: 'is lagging if it is 11 blocks behind and older than the time of 10 blocks',
      nodes: [
        [head(1_000), 'current'],
        [head(989, 31), 'lagging'],
      ],
    },
    {
      title: 'is lagging if it is far older than its distance in blocks, because the chain missed some',
      nodes: [
        [head(1_000), 'current'],
        [head(970, 1_000), 'lagging'],
      ],
    },
    {
      title: 'is lagging if all nodes are old, because the chain produces no blocks',
      nodes: [
        [head(500), 'lagging'],
        [head(520), 'current'],
      ],
    },
  ],

  'a head in the future': [
    {
      title: 'is current up to a minute, the tolerance for clocks',
      nodes: [
        [head(1_000), 'current'],
        [head(1_005, -60), 'current'],
      ],
    },
    {
      title: 'is ahead beyond a minute',
      nodes: [
        [head(1_000), 'current'],
        [head(1_005, -61), 'ahead'],
      ],
    },
    {
      title: 'is ahead, and does not make a current node lag',
      nodes: [
        [head(1_000), 'current'],
        [head(29_800), 'ahead'],
      ],
    },
    {
      title: 'is ahead, and does not make an old node lag',
      nodes: [
        [head(29_800), 'ahead'],
        [head(500), 'current'],
      ],
    },
  ],

  'a head above what the others allow': [
    {
      title: 'is current up to 10 blocks above',
      nodes: [
        [head(1_000), 'current'],
        [head(1_010, 0), 'current'],
      ],
    },
    {
      title: 'is ahead from 11 blocks above',
      nodes: [
        [head(1_000), 'current'],
        [head(1_011, 0), 'ahead'],
      ],
    },
    {
      title: 'is ahead also if it is old',
      nodes: [
        [head(1_000), 'current'],
        [head(29_800, 900), 'ahead'],
      ],
    },
    {
      title: 'is ahead of two current nodes, wherever it is listed',
      nodes: [
        [head(29_800, 0), 'ahead'],
        [head(999), 'current'],
        [head(1_000), 'current'],
      ],
    },
    {
      title: 'is current if two of three nodes report it, and the third is current because it is recent',
      nodes: [
        [head(29_800, 0), 'current'],
        [head(29_801, 0), 'current'],
        [head(1_000), 'current'],
      ],
    },
    {
      title: 'is ahead of one old node, which stays current',
      nodes: [
        [head(29_800, 0), 'ahead'],
        [head(500), 'current'],
      ],
    },
    {
      title: 'is ahead of one old node also if it is old itself',
      nodes: [
        [head(29_800, 900), 'ahead'],
        [head(500), 'current'],
      ],
    },
    {
      title: 'is ahead of two old nodes, and the lower one lags',
      nodes: [
        [head(29_800, 0), 'ahead'],
        [head(500), 'lagging'],
        [head(520), 'current'],
      ],
    },
  ],

  'a head that the chain can have reached since the time of the others': [
    {
      title: 'is current, and they lag',
      nodes: [
        [head(900, 0), 'current'],
        [head(500), 'lagging'],
        [head(500), 'lagging'],
      ],
    },
  ],

  'if our clock is a day slow, so that all heads are in the future,': [
    {
      title: 'heads that differ by a few blocks are current',
      nodes: [
        [head(1_000, -aDay), 'current'],
        [head(995, -aDay + 15), 'current'],
      ],
    },
    {
      title: 'a far higher head is ahead',
      nodes: [
        [head(1_000, -aDay), 'current'],
        [head(29_800, -aDay), 'ahead'],
      ],
    },
  ],

  'if our clock is a day fast, so that all heads are old,': [
    {
      title: 'a node that is behind the others lags',
      nodes: [
        [head(1_000, aDay), 'current'],
        [head(970, aDay + 90), 'lagging'],
      ],
    },
  ],
};

describe('compareHeads', () => {
  describe.each(Object.entries(groups))('%s', (_group, cases) => {
    test.each(cases)('$title', ({ nodes }) => {
      const heads = nodes.map(([reported]) => reported);
      const positions = nodes.map(([, position]) => position);
      expect(compareHeads(heads, maxLagBlocks, nowMs)).toEqual(positions);
    });
  });
});
