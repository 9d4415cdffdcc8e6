import { Communities, type Community } from './communities';

const community: Community = {
  ...{ id: 7, typeId: 1, title: '', about: '', lang: 'en', isNsfw: false, description: '', flagText: '' },
  ...{ settings: '{}', created: new Date(0), subscribers: 0, authors: 0, pendingPosts: 0, pendingPayout: 0n },
};
const authorId = 3;

describe('Communities', () => {
  it('counts pending posts, and authors that have any', () => {
    const communities = new Communities();
    communities.put(community);
    const counts = ([1, 1, -1, -1] as const).map((change) => {
      communities.countPendingPost(7, authorId, change);
      const { authors, pendingPosts } = communities.find(7) ?? {};
      return { authors, pendingPosts };
    });
    expect(counts).toEqual([
      { authors: 1, pendingPosts: 1 },
      { authors: 1, pendingPosts: 2 },
      { authors: 1, pendingPosts: 1 },
      { authors: 0, pendingPosts: 0 },
    ]);
  });

  it('throws instead of counting below zero, such as for an author that is not in the read set', () => {
    const communities = new Communities();
    communities.put(community);
    expect(() => {
      communities.countPendingPost(7, authorId, -1);
    }).toThrow('account 3 has no pending post in community 7');
    expect(communities.find(7)).toEqual(community);
  });

  it('throws instead of losing a change of a community that was not read', () => {
    const change = () => {
      new Communities().change(7, () => ({ title: 'Bees' }));
    };
    expect(change).toThrow('community 7 is not in the batch');
  });
});
