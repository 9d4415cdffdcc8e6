import { Random } from '@waggle/testing';
import { HostileOperations } from './hostile-operations';
import { IndexUnderTest } from '../support/index-under-test';
import { act, create, custom, follow, post, reply } from '../support/operations';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const bees = 'hive-100001';
const honey = { author: 'alice', permlink: 'honey' };
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Invalid operations that anyone may put on the chain. The indexer must ignore them and continue. */
const texts: string[] = [
  '',
  'null',
  '7',
  '"follow"',
  '{}',
  '[]',
  '[[]]',
  '["follow"]',
  '["follow", null]',
  '["follow", []]',
  '["follow", {}]',
  '["follow", {"follower": "bob"}, 3]',
  '["follow", {"follower": "bob", "following": 7, "what": ["blog"]}]',
  '["follow", {"follower": "bob", "following": {"length": 3}, "what": ["blog"]}]',
  '["follow", {"follower": "bob", "following": [null, 7, {}, ["alice"]], "what": ["blog"]}]',
  '["follow", {"follower": "bob", "following": "alice", "what": {"0": "blog"}}]',
  '["follow", {"follower": "bob", "following": "alice", "what": [{"toString": 1}]}]',
  '["follow", {"follower": "bob", "following": "alice", "what": ["constructor"]}]',
  '["follow", {"follower": "bob", "following": "__proto__", "what": ["blog"]}]',
  '["follow", {"follower": "carol", "following": "alice", "what": ["blog"]}]',
  '["follow", {"__proto__": {"follower": "bob", "following": "alice", "what": ["blog"]}}]',
  '["__proto__", {"community": "hive-100001"}]',
  '["constructor", {"community": "hive-100001"}]',
  '["reblog", {"account": "bob", "author": "alice", "permlink": 1e999}]',
  '["reblog", {"account": "bob", "author": "alice", "permlink": "a\\u0000b"}]',
  '["reblog", {"account": "bob", "author": "\\ud800", "permlink": "\\udfff"}]',
  '["setLastRead", {"date": "9999-99-99T99:99:99"}]',
  '["setLastRead", {"date": "+275760-09-13T00:00:00"}]',
  '["setLastRead", {"date": 1e400}]',
  '["subscribe", {"community": "HIVE-100001"}]',
  '["subscribe", {"community": null}]',
  '["subscribe", {"community": ["hive-100001"]}]',
  '["setRole", {"community": "hive-100001", "account": "__proto__", "role": "toString"}]',
  '["updateProps", {"community": "hive-100001", "props": {"__proto__": {"title": "Bees"}}}]',
  deep(4_000),
  `["updateProps", {"community": "hive-100001", "props": {"settings": {"a": ${deep(3_000)}}}}]`,
  `{"follower": "bob", "x": ${'9'.repeat(5_000)}}`,
  '\u0000\u0001[',
  '"\ud800',
];

/** Processor time, because the machine may be busy. */
async function processorMs(work: () => Promise<void>): Promise<number> {
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return (user + system) / 1_000;
}

describe('untrusted operations', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(['alice', 'bob', 'carol', bees].map((name) => create(name)));
  });
  afterAll(() => index.stop());

  it.each(['follow', 'reblog', 'community', 'notify', '__proto__', 'constructor'])(
    'with invalid JSON and the id %j are ignored',
    async (id) => {
      await index.apply(texts.flatMap((text) => [custom('bob', id, text), custom(bees, id, text)]));
      const rows = await index.everyRow();
      expect([rows['follow'], rows['blog_entry'], rows['subscription']]).toEqual([[], [], []]);
      await index.apply([follow('bob', 'alice')]);
      expect(await index.messages('alice')).toEqual(['@bob followed you']);
    },
  );

  it(`may have odd values in place of valid ones (SEED=${seed})`, async () => {
    await index.apply([post('alice', 'honey', { category: bees }), reply('bob', 'sweet', honey)]);
    const hostile = new HostileOperations(new Random(seed));
    for (let batch = 0; batch < 3; batch += 1) {
      await index.apply(...Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => hostile.operation())));
    }
    // Valid operations are among them.
    expect((await index.everyRow())['notification']?.length).toBeGreaterThan(50);
    // What they stored can be returned.
    for (const name of ['alice', 'bob', bees]) await index.items(name);
    await index.call('bridge.get_community', { name: bees });
    await index.call('bridge.list_community_roles', { community: bees });
  });

  it('apply only if exactly one account has signed them with its posting key', async () => {
    const json = JSON.stringify(['follow', { follower: 'bob', following: 'alice', what: ['blog'] }]);
    const signed = (required_auths: string[], required_posting_auths: string[]) => ({
      type: 'custom_json_operation',
      isVirtual: false,
      value: { required_auths, required_posting_auths, id: 'follow', json },
    });
    await index.apply([signed(['bob'], []), signed(['carol'], ['bob']), signed([], ['bob', 'carol']), signed([], [])]);
    await index.apply([signed([], ['carol'])]);
    expect(await index.items('alice')).toEqual([]);
    await index.apply([signed([], ['bob'])]);
    expect(await index.messages('alice')).toHaveLength(1);
  });

  it('may contain raw control characters in JSON strings', async () => {
    const json = `["updateProps", {"community": "${bees}", "props": {"description": "first\nsecond\tline"}}]`;
    await index.apply([custom(bees, 'community', json)]);
    expect(await index.call('bridge.get_community', { name: bees })).toMatchObject({
      description: 'first\nsecond\tline',
    });
  });

  it('may contain JSON strings without an end', async () => {
    const text = `["follow","${'\\"'.repeat(4_080)}`;
    const operations = Array.from({ length: 30 }, () => custom('bob', 'follow', text));
    expect(await processorMs(() => index.apply(operations))).toBeLessThan(1_000);
  });

  it('may contain characters that the database rejects, in every stored text', async () => {
    const bad = 'a\u0000b\ud800c';
    await index.apply(
      [
        post('alice', `link\u0000\ud800`, { category: bees, body: `${bad} @bob` }),
        act(bees, 'updateProps', bees, { props: { title: `Bees\u0000`, settings: { [bad]: bad } } }),
        act(bees, 'setUserTitle', bees, { account: 'bob', title: `T\u0000` }),
      ],
      [reply('bob', `re\u0000`, { author: 'alice', permlink: `link\u0000\ud800` })],
      [act(bees, 'mutePost', bees, { account: 'alice', permlink: `link\u0000\ud800`, notes: bad })],
    );
    expect(await index.messages('alice')).toEqual([
      `@${bees} muted your post - ab\ufffdc`,
      '@bob replied to your post',
    ]);
    expect(await index.messages('bob', 'set_title')).toEqual([`@${bees} set your title to T`]);
  });

  it('may contain them in a patch, and cannot grow a text without limit', async () => {
    const grown = (text: string) => `@@ -1,0 +1,${text.length} @@\n+${text}\n`;
    await index.apply([post('alice', 'honey', { body: 'Honey' })]);
    await index.apply([
      post('alice', 'honey', { body: grown('%00') }),
      post('alice', 'honey', { body: grown('a%00b') }),
    ]);
    await index.apply(Array.from({ length: 20 }, () => post('alice', 'honey', { body: grown('x'.repeat(60_000)) })));
    const [{ body }] = (await index.everyRow())['post_text'] as [{ body: string }];
    expect(body.endsWith('abHoney')).toBe(true);
    expect(body.length).toBeLessThan(140_000);
  });

  it('may contain a patch whose hunks are at opposite ends of a long text', async () => {
    const insert = (text: string) => post('alice', 'honey', { body: `@@ -1,0 +1 @@\n+${text}\n` });
    const half = insert('a'.repeat(60_000));
    await index.apply([post('alice', 'honey', { body: 'c' }), half, half, insert('b')]);
    const patch = '@@ -1 +1 @@\n aaaaac\n@@ -1 +1 @@\n baaaaa\n'.repeat(1_600);
    expect(await processorMs(() => index.apply([post('alice', 'honey', { body: patch })]))).toBeLessThan(1_000);
  });

  it('may contain patches that split a character, whether they are applied in one batch or in several', async () => {
    const edits = ['😀', '@@ -2,0 +2 @@\n+x\n', '@@ -2 +2,0 @@\n-x\n'].map((body) => [
      post('alice', 'honey', { body }),
    ]);
    await index.apply(...edits);
    const together = (await index.everyRow())['post_text'];
    await index.reset();
    await index.apply(['alice', 'bob', 'carol', bees].map((name) => create(name)));
    for (const edit of edits) await index.apply(edit);
    expect((await index.everyRow())['post_text']).toEqual(together);
  });

  it('may name accounts that cannot exist', async () => {
    await index.apply([
      create('Älice'),
      create('x'.repeat(40)),
      post('Älice', 'honey'),
      follow('bob', ['Älice', 'x'.repeat(9_000), ' ', '@alice', 'alice']),
      post('bob', 'note', { body: `@${'x'.repeat(5_000)} @nobody-here` }),
    ]);
    const { account } = await index.everyRow();
    expect(account).toHaveLength(4);
    expect(await index.messages('alice')).toEqual(['@bob followed you']);
  });

  describe('by an account with long lists', () => {
    const names = Array.from({ length: 2_000 }, (_, number) => `bee-${number}`);
    beforeEach(() => index.apply(names.map((name) => create(name))));

    it('may clear the lists again and again, which are not read', async () => {
      await index.apply([follow('alice', names), follow('alice', names, 'follow_blacklist'), follow('bob', names)]);
      const resets = names.flatMap(() => [
        follow('alice', '', 'reset_following_list'),
        follow('alice', '', 'reset_muted_list'),
      ]);
      const before = index.rowsRead;
      expect(
        await processorMs(() => index.apply([follow('alice', 'bee-1'), ...resets, follow('alice', 'bee-2')])),
      ).toBeLessThan(1_000);
      expect(index.rowsRead - before).toBeLessThan(20);
      const countOf = (name: string) => index.call('condenser_api.get_follow_count', [name]);
      expect(await countOf('alice')).toMatchObject({ following_count: 1 });
      expect(await countOf('bee-1')).toMatchObject({ follower_count: 1 });
      expect(await countOf('bee-2')).toMatchObject({ follower_count: 2 });
      expect(await countOf('bee-3')).toMatchObject({ follower_count: 1 });
      expect(await index.call('bridge.get_follow_list', ['alice', 'follow_blacklist'])).toHaveLength(names.length);
    });

    it('may clear a list that the indexer has read because of a notification', async () => {
      await index.apply([
        follow('carol', 'bob', 'ignore'),
        follow('alice', 'carol'),
        follow('alice', 'carol', 'follow_muted'),
      ]);
      await index.apply([follow('bob', 'alice'), follow('alice', '', 'reset_all_lists'), follow('bee-1', 'alice')]);
      expect(await index.messages('alice')).toEqual(['@bee-1 followed you']);
      expect(await index.call('condenser_api.get_follow_count', ['carol'])).toMatchObject({ follower_count: 0 });
    });

    it('may edit a post that mentions many accounts, which are not read', async () => {
      const mentions = names.map((name) => `@${name}`).join(' ');
      await index.apply([post('alice', 'honey', { body: mentions })]);
      const before = index.rowsRead;
      await index.apply([post('alice', 'honey', { body: '@@ -1,8 +1,6 @@\n-@bee-0\n+@bob\n  @\n' })]);
      expect(index.rowsRead - before).toBeLessThan(20);
      expect([await index.messages('bee-0'), await index.messages('bob')]).toEqual([
        [],
        [`@alice mentioned you and ${names.length - 1} others`],
      ]);
      await index.apply([post('alice', 'honey', { body: 'Nobody' })]);
      const { notification, mention } = await index.everyRow();
      // Of the creation of the community.
      expect(notification).toHaveLength(1);
      expect(mention).toEqual([]);
    });

    it('may cause many notifications to an account that follows many mute lists', async () => {
      await index.apply([
        post('alice', 'honey'),
        follow('alice', names, 'follow_muted'),
        follow('bee-0', 'bee-1', 'ignore'),
        follow('bee-1999', 'bee-2', 'ignore'),
      ]);
      const operations = [
        follow('bee-3', 'bee-1998', 'ignore'),
        follow('bee-1998', 'bee-3', 'ignore'),
        ...names.map((name) => reply(name, 'sweet', honey)),
      ];
      expect(await processorMs(() => index.apply(operations))).toBeLessThan(2_000);
      const { notification } = await index.everyRow();
      const sources = (notification as { source_id: number | null }[]).map(({ source_id: source }) => source);
      // Ids follow the order of creation: four accounts come before.
      const muted = [1, 2, 3, 1998].map((number) => number + 5);
      expect(sources.filter((source) => source !== null)).toHaveLength(names.length - muted.length);
      for (const id of muted) expect(sources).not.toContain(id);
    });
  });

  it('may occur many times in one block', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `bee-${index}`);
    await index.apply(names.map((name) => create(name)));
    await index.apply(
      names.flatMap((name) => [follow(name, 'alice'), follow(name, 'alice', ''), follow(name, 'alice')]),
    );
    expect(await index.call('condenser_api.get_follow_count', ['alice'])).toMatchObject({ follower_count: 300 });
    const { notification } = await index.everyRow();
    expect(notification).toHaveLength(301);
  });
});
