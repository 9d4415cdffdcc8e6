import { blogContentBlocks, includeBlogContent } from './blog-content';
import { DevnetChain } from './chain/chain';
import { recentGenesisTime } from './chain/live-blocks';
import { beekeepers, includeReply, includeSampleContent, sampleContentBlocks } from './sample-content';
import { secondsOf } from './time';

it('sample content is deterministic, and has every kind of content', () => {
  const chain = new DevnetChain();
  const before = chain.head.number;
  includeSampleContent(chain);
  expect(chain.head.number).toBe(before + sampleContentBlocks);
  const again = new DevnetChain();
  includeSampleContent(again);
  expect(again.head.id).toBe(chain.head.id);
  expect(chain.state.findAccount(beekeepers)).toBeDefined();
  expect(chain.state.comments.all().map(({ author, permlink, netRshares }) => [author, permlink, netRshares])).toEqual([
    ['alice', 'the-first-swarm', 29_900_000_000n],
    ['bob', 'a-jar-of-honey', 19_950_000_000n],
    ['bob', 're-the-first-swarm', 19_950_000_000n],
    ['carol', 're-a-jar-of-honey', 0n],
    ['alice', 're-re-the-first-swarm', 0n],
  ]);
});

it('sample content can end at the current time', () => {
  const chain = new DevnetChain({ genesisTime: recentGenesisTime(1, sampleContentBlocks), unsigned: true });
  includeSampleContent(chain);
  const ageSeconds = Date.now() / 1000 - secondsOf(chain.head.timestamp);
  expect(ageSeconds).toBeGreaterThanOrEqual(0);
  expect(ageSeconds).toBeLessThan(10);
});

it('sample content continues with replies', () => {
  const chain = new DevnetChain();
  includeSampleContent(chain);
  for (const number of [1, 2]) includeReply(chain, number);
  chain.produceBlock();
  const replies = chain.state.comments.all().filter(({ permlink }) => permlink.startsWith('visit-'));
  expect(replies.map(({ author, permlink }) => [author, permlink])).toEqual([
    ['carol', 'visit-1'],
    ['bob', 'visit-2'],
  ]);
});

it('blog content is deterministic, and has more than a page of posts', () => {
  const chains = [new DevnetChain(), new DevnetChain()].map((chain) => {
    includeSampleContent(chain);
    const before = chain.head.number;
    includeBlogContent(chain);
    expect(chain.head.number).toBe(before + blogContentBlocks);
    return chain;
  });
  expect(new Set(chains.map(({ head }) => head.id)).size).toBe(1);
  const comments = chains[0]?.state.comments.all() ?? [];
  expect(comments.filter(({ author, depth }) => author === 'erin' && depth === 0)).toHaveLength(25);
  expect(Math.max(...comments.map(({ depth }) => depth))).toBe(6);
  expect(comments.filter(({ netRshares }) => netRshares < 0n)).toHaveLength(1);
});
