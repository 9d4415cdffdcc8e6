import { compareHeads, type HeadPosition, type ReportedHead } from './head-comparison';

const nowMs = Date.UTC(2026, 0, 1);
/** The head of a healthy node is 1,000 at this moment. */
const head = (block: number, secondsAgo = (1_000 - block) * 3): ReportedHead => ({
  block,
  timeMs: nowMs - secondsAgo * 1_000,
});
const aDay = 86_400;

it.each<[string, readonly ReportedHead[], readonly HeadPosition[]]>([
  ['no nodes', [], []],
  ['nodes that differ by a few blocks', [head(1_000), head(997), head(990)], ['current', 'current', 'current']],
  ['a node that is behind', [head(1_000), head(970)], ['current', 'lagging']],
  ['a node that is behind blocks that were missed', [head(1_000), head(970, 1_000)], ['current', 'lagging']],
  ['a node that claims the head of tomorrow', [head(1_000), head(29_800)], ['current', 'ahead']],
  ['a node that claims a far head now', [head(1_000), head(29_800, 0)], ['current', 'ahead']],
  ['a far head that is old', [head(1_000), head(29_800, 900)], ['current', 'ahead']],
  ['a far head beside two nodes', [head(29_800, 0), head(999), head(1_000)], ['ahead', 'current', 'current']],
  ['two far heads beside a node', [head(29_800, 0), head(29_801, 0), head(1_000)], ['current', 'current', 'current']],
  ['a far head of tomorrow beside a node that is behind', [head(29_800), head(500)], ['ahead', 'current']],
  ['a far head beside a node that is behind', [head(29_800, 0), head(500)], ['ahead', 'current']],
  ['an old far head beside a node that is behind', [head(29_800, 900), head(500)], ['ahead', 'current']],
  ['a far head beside two that are behind', [head(29_800, 0), head(500), head(520)], ['ahead', 'lagging', 'current']],
  [
    'a possible head beside two that are behind',
    [head(900, 0), head(500), head(500)],
    ['current', 'lagging', 'lagging'],
  ],
  ['a chain that stands still', [head(500), head(520)], ['lagging', 'current']],
  ['a clock that is slow', [head(1_000, -aDay), head(995, -aDay + 15)], ['current', 'current']],
  ['a far head and a slow clock', [head(1_000, -aDay), head(29_800, -aDay)], ['current', 'ahead']],
  ['a clock that is fast', [head(1_000, aDay), head(970, aDay + 90)], ['current', 'lagging']],
])('%s', (_what, heads, positions) => {
  expect(compareHeads(heads, 10, nowMs)).toEqual(positions);
});
