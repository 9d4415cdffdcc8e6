import { genesisBlock } from '../chain/genesis';
import { neverHappened } from '../time';
import { findWithoutOrigin } from './missing-origins';

const comment = (permlink: string, body: string) => ({
  name: 'comment',
  value: { parent_author: '', parent_permlink: 'bees', author: 'alice', permlink, title: '', body, json_metadata: '' },
});
const vote = (permlink: string) => ({ name: 'vote', value: { voter: 'bob', author: 'alice', permlink, weight: 100 } });

const { state } = genesisBlock(neverHappened);
const postsWithoutOrigin = (operations: Parameters<typeof findWithoutOrigin>[0]) => [
  ...findWithoutOrigin(operations, state).posts.keys(),
];

describe('findWithoutOrigin', () => {
  it('does not return a post that a comment creates', () => {
    expect(postsWithoutOrigin([comment('new', 'Hello'), vote('new'), comment('new', 'Edited')])).toEqual([]);
  });

  it('returns a post that is named before its comment, or whose comment is a patch: both are edits', () => {
    expect(postsWithoutOrigin([vote('older'), comment('older', 'Edited')])).toEqual(['alice/older']);
    expect(postsWithoutOrigin([comment('patched', '@@ -1,5 +1,6 @@\n Hello\n+!\n')])).toEqual(['alice/patched']);
  });

  it('returns accounts that nothing creates', () => {
    expect([...findWithoutOrigin([vote('any')], state).accounts].sort()).toEqual(['alice', 'bob']);
  });
});
