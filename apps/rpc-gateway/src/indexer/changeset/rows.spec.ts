import { VoteEntity } from '../../votes/vote.entity';
import { Notifications } from './notifications';
import { Posts } from './posts';
import { RetentionPeriod } from './retention-period';
import { Rows } from './rows';
import { Table } from './table';

const post = {
  parentId: null,
  authorId: 1,
  communityId: null,
  depth: 0,
  isPinned: false,
  isDeleted: false,
  permlink: 'post',
  rootId: 1n,
  parentAuthorId: null,
  created: new Date(0),
  children: 0,
  mutedReasons: 0,
};
const vote = (postId: bigint, voterId: number, rshares = 1n) => ({
  ...{ postId, voterId, rshares, updated: new Date(0) },
  ...{ percent: 0, changes: 0, isEffective: true, weight: 0n },
});

it('finds the rows of a group as they are at the moment', () => {
  const rows = new Rows(new Table(VoteEntity), ({ postId, rshares }) => (rshares > 0n ? postId : undefined));
  rows.add([vote(1n, 1), vote(1n, 2), vote(2n, 1)]);
  rows.put(vote(1n, 3));
  rows.put(vote(1n, 1, 7n));
  expect(rows.ofGroup(1n)).toEqual([vote(1n, 2), vote(1n, 3), vote(1n, 1, 7n)]);
  rows.remove(vote(1n, 2));
  rows.put(vote(1n, 3, 0n));
  expect(rows.ofGroup(1n)).toEqual([vote(1n, 1, 7n)]);
  expect([rows.ofGroup(2n), rows.ofGroup(3n)]).toEqual([[vote(2n, 1)], []]);
});

describe('the rows of a post are found without a search through those of all posts', () => {
  const count = 60_000;
  const posts = new Posts(1n, true);
  const notifications = new Notifications(
    new RetentionPeriod(
      { notificationDays: 90, bodyDays: null, keepsVotes: true },
      { notificationsFrom: new Date(0), bodiesFrom: new Date(0) },
    ),
  );
  beforeAll(() => {
    for (let accountId = 1; accountId <= count; accountId += 1) {
      posts.votes.put(vote(0n, accountId));
      posts.blogEntries.put({ postId: 0n, accountId, isReblog: true, created: new Date(0) });
      notifications.mentions.put({ postId: 0n, accountId, notificationId: 1n });
    }
  });

  it.each<[name: string, find: (postId: bigint) => void]>([
    [
      'its votes and reblogs',
      (postId) => {
        posts.delete({ ...post, id: postId });
      },
    ],
    [
      'its mentions',
      (postId) => {
        notifications.mentions.ofGroup(postId);
      },
    ],
  ])('%s', (_name, find) => {
    const used = process.cpuUsage();
    for (let postId = 1; postId <= count; postId += 1) find(BigInt(postId));
    // Processor time, because the machine may be busy. A search through all takes half a minute.
    expect(process.cpuUsage(used).user / 1e6).toBeLessThan(8);
  });
});

describe('Table', () => {
  it('rejects a key that lacks a part, which no row could have', async () => {
    const find = new Table(VoteEntity).find({ query: jest.fn() }, [{ postId: 1n }]);
    await expect(find).rejects.toThrow('an incomplete key of vote');
  });
});
