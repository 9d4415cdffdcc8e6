import { DevnetChain } from '../chain/chain';
import { blockIntervalSeconds, payoutSeconds } from '../protocol';
import { hiveTime, secondsOf } from '../time';

let chain: DevnetChain;
beforeEach(() => {
  chain = new DevnetChain({ unsigned: true });
});

const post = { parent_author: '', parent_permlink: 'bees', title: 'A title', body: 'A body', json_metadata: '' };

/** `name` is `author/permlink`, and so is `parent`; without a parent it is a post. */
function write(name: string, parent?: string, changes: object = {}): void {
  const [author, permlink] = name.split('/');
  const [parent_author, parent_permlink] = parent?.split('/') ?? ['', 'bees'];
  chain.include([['comment', { ...post, author, permlink, parent_author, parent_permlink, ...changes }]], []);
}

function remove(name: string): void {
  const [author, permlink] = name.split('/');
  chain.include([['delete_comment', { author, permlink }]], []);
}

function vote(voter: string, name: string, weight = 10_000): void {
  const [author, permlink] = name.split('/');
  chain.include([['vote', { voter, author, permlink, weight }]], []);
}

const find = (name: string) => chain.state.comments.find(name.split('/')[0] ?? '', name.split('/')[1] ?? '');

function virtualOperations(): unknown[] {
  return chain.head.operations
    .filter(({ operation, virtual }) => virtual && operation.name !== 'producer_reward')
    .map(({ operation }) => [operation.name, operation.value]);
}

describe('a comment', () => {
  it('without a parent is a post, and the root of its replies', () => {
    const { timestamp } = chain.head;
    write('alice/a-post');
    write('bob/a-reply', 'alice/a-post');
    write('carol/a-second-reply', 'bob/a-reply');
    expect(find('alice/a-post')).toMatchObject({
      id: 0,
      depth: 0,
      category: 'bees',
      parentAuthor: '',
      root: { author: 'alice', permlink: 'a-post' },
      children: 2,
      title: 'A title',
      body: 'A body',
      created: timestamp,
      payoutTime: hiveTime(secondsOf(timestamp) + payoutSeconds),
    });
    expect(find('carol/a-second-reply')).toMatchObject({
      depth: 2,
      category: 'bees',
      root: { author: 'alice', permlink: 'a-post' },
      parentAuthor: 'bob',
      children: 0,
    });
    expect(chain.state.comments.repliesTo({ author: 'alice', permlink: 'a-post' })).toMatchObject([
      { author: 'bob', children: 1 },
    ]);
    expect(chain.state.getAccount('alice').activity).toMatchObject({ postCount: 1, lastRootPost: timestamp });
    expect(chain.state.getAccount('bob').activity).toMatchObject({ postCount: 1, lastRootPost: '1970-01-01T00:00:00' });
  });

  it('is edited by one with the same permlink, but keeps its parent', () => {
    write('alice/a-post');
    write('bob/a-reply', 'alice/a-post');
    chain.produceBlock();
    write('alice/a-post', undefined, { title: 'Better', body: 'New', parent_permlink: 'other' });
    expect(find('alice/a-post')).toMatchObject({
      id: 0,
      title: 'Better',
      body: 'New',
      category: 'bees',
      children: 1,
      lastUpdate: chain.head.timestamp,
    });
    expect(find('alice/a-post')?.created).not.toBe(chain.head.timestamp);
    expect(chain.state.getAccount('alice').activity.postCount).toBe(1);
    expect(() => {
      write('bob/a-reply', 'bob/a-reply');
    }).toThrow('The parent of a comment cannot change.');
    expect(() => {
      write('bob/a-reply');
    }).toThrow('The parent of a comment cannot change.');
  });

  it.each<[string, string, string | undefined, object, string]>([
    ['of an unknown account', 'stranger/a-post', undefined, {}, 'unknown account stranger'],
    ['with an unknown parent', 'bob/a-reply', 'alice/none', {}, 'unknown comment alice/none'],
    ['without a body', 'alice/a-post', undefined, { body: '' }, 'Body is empty'],
    ['with too long a title', 'alice/a-post', undefined, { title: 'é'.repeat(128) }, 'Title larger than size limit'],
    ['with metadata that is no JSON', 'alice/a-post', undefined, { json_metadata: '{' }, 'not valid JSON'],
    ['without a permlink', 'alice/', undefined, {}, 'Permlink is not a valid size.'],
    ['without a category', 'alice/a-post', undefined, { parent_permlink: '' }, 'Permlink is not a valid size.'],
    ['with a capital in its permlink', 'alice/A', undefined, {}, 'Invalid permlink character: A'],
    ['with too long a permlink', `alice/${'a'.repeat(256)}`, undefined, {}, 'permlink is too long'],
  ])('%s is rejected', (_what, name, parent, changes, message) => {
    expect(() => {
      write(name, parent, changes);
    }).toThrow(message);
  });

  it('can be 255 deep', () => {
    write('alice/depth-0');
    for (let depth = 1; depth <= 255; depth++) write(`alice/depth-${depth}`, `alice/depth-${depth - 1}`);
    expect(find('alice/depth-0')?.children).toBe(255);
    expect(() => {
      write('alice/depth-256', 'alice/depth-255');
    }).toThrow('Comment is nested 255 posts deep, maximum depth is 255.');
  });

  it('needs the signature of the author with the posting key', () => {
    const signed = new DevnetChain();
    const value = { ...post, author: 'alice', permlink: 'a-post' };
    expect(() => signed.include([['comment', value]], [])).toThrow('Missing Posting Authority alice');
  });
});

describe('deleting a comment', () => {
  it('frees its permlink', () => {
    write('alice/a-post');
    write('bob/a-reply', 'alice/a-post');
    vote('carol', 'bob/a-reply', -10_000);
    remove('bob/a-reply');
    expect(find('bob/a-reply')).toBeUndefined();
    expect(find('alice/a-post')?.children).toBe(0);
    // A duplicate transaction would be rejected.
    chain.produceBlock();
    write('bob/a-reply', 'alice/a-post');
    expect(find('bob/a-reply')).toMatchObject({ id: 2, netRshares: 0n });
    chain.produceBlock(payoutSeconds / blockIntervalSeconds);
    expect(virtualOperations()).toHaveLength(2);
  });

  it('is rejected without a comment, with replies, and after the payout', () => {
    expect(() => {
      remove('alice/a-post');
    }).toThrow('unknown comment alice/a-post');
    write('alice/a-post');
    write('bob/a-reply', 'alice/a-post');
    expect(() => {
      remove('alice/a-post');
    }).toThrow('Cannot delete a comment with replies.');
    chain.produceBlock(payoutSeconds / blockIntervalSeconds);
    expect(() => {
      remove('bob/a-reply');
    }).toThrow('Cannot delete comment after payout.');
  });

  it('has no effect on a comment with upvotes', () => {
    write('alice/a-post');
    vote('bob', 'alice/a-post');
    chain.produceBlock();
    remove('alice/a-post');
    chain.produceBlock();
    expect(find('alice/a-post')).toBeDefined();
    expect(virtualOperations()).toEqual([['ineffective_delete_comment', { author: 'alice', permlink: 'a-post' }]]);
  });
});

describe('a payout', () => {
  it('happens after seven days, or the period of the chain', () => {
    const quick = { payoutSeconds: 9, unsigned: true };
    for (const [options, slots] of [
      [{ unsigned: true }, payoutSeconds / blockIntervalSeconds],
      [quick, 3],
    ] as const) {
      chain = new DevnetChain(options);
      write('alice/a-post');
      write('bob/a-reply', 'alice/a-post');
      vote('carol', 'alice/a-post');
      chain.produceBlock(slots - 2);
      expect(virtualOperations()).toMatchObject([['effective_comment_vote', {}]]);
      chain.produceBlock();
      expect(virtualOperations()).toMatchObject([
        [
          'comment_reward',
          {
            author: 'alice',
            permlink: 'a-post',
            payout: { units: 997n, symbol: 'HBD' },
            total_payout_value: { units: 499n },
            curator_payout_value: { units: 498n },
            beneficiary_payout_value: { units: 0n },
          },
        ],
        ['comment_payout_update', { author: 'alice', permlink: 'a-post' }],
        ['comment_payout_update', { author: 'bob', permlink: 'a-reply' }],
      ]);
      chain.produceBlock(1_000_000);
      expect(virtualOperations()).toEqual([]);
    }
  });

  it('ignores later votes', () => {
    write('alice/a-post');
    chain.produceBlock(payoutSeconds / blockIntervalSeconds);
    vote('bob', 'alice/a-post');
    chain.produceBlock();
    expect(virtualOperations()).toEqual([]);
    expect(find('alice/a-post')).toMatchObject({ netRshares: 0n, payout: { author: { units: 0n } } });
  });
});

it('a chain with comments is reproducible, and provides its earlier states', () => {
  const ids = () => {
    chain = new DevnetChain({ unsigned: true });
    write('alice/a-post');
    write('bob/a-reply', 'alice/a-post');
    vote('carol', 'bob/a-reply');
    chain.produceBlock();
    remove('bob/a-reply');
    return chain.produceBlock().id;
  };
  expect(ids()).toBe(ids());
  expect(chain.asOf(2).state.comments.all()).toEqual([]);
  expect(chain.asOf(1).state.comments.all()).toMatchObject([{ children: 1 }, { netRshares: 19_950_000_000n }]);
});
