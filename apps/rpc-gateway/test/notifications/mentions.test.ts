import { IndexUnderTest } from '../support/index-under-test';
import { create, follow, post } from '../support/operations';

describe('mentions', () => {
  let index: IndexUnderTest;
  const write = (body: string) => index.apply([post('bob', 'note', { body })]);
  const ofBoth = async () => [await index.messages('alice'), await index.messages('carol')];

  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(['alice', 'bob', 'carol', 'a.b-c'].map((name) => create(name)));
  });
  afterAll(() => index.stop());

  it.each(['@alice', 'So @alice, and', '(@Alice)', 'Ask @alice.', 'ä@alice', '\n@alice\n', '-@alice'])(
    'are in %j',
    async (body) => {
      await write(body);
      expect(await index.messages('alice')).toHaveLength(1);
    },
  );

  it.each(['x@alice', '@@alice', '/@alice', '_@alice', '#@alice', '*@alice', '&@alice', '@alicecooper', '@ alice'])(
    'are not in %j',
    async (body) => {
      await write(body);
      expect(await index.messages('alice')).toEqual([]);
    },
  );

  // hivemind takes as many of 17 characters as a letter of lower case does not follow (as below).
  it.each(['@alice.communitycommunity', '@Alice-communitycommunity', '@alice7communitycommunity'])(
    'end before a part that makes the name too long: %j',
    async (body) => {
      await write(body);
      expect(await index.messages('alice')).toHaveLength(1);
    },
  );

  it.each(['@alice.COMMUNITYCOMMUNITY', '@alicecommunitycommunity'])('are not in the long name %j', async (body) => {
    await write(body);
    expect(await index.messages('alice')).toEqual([]);
  });

  it('create one notification per post, however often it mentions an account', async () => {
    await write('@alice @alice');
    await write('@alice @alice @alice');
    expect(await index.messages('alice')).toEqual(['@bob mentioned you and 0 others']);
  });

  it('are retracted by an edit, and restored by another one', async () => {
    await write('@alice and @carol');
    expect(await ofBoth()).toEqual([['@bob mentioned you and 1 others'], ['@bob mentioned you and 1 others']]);
    await write('@carol alone');
    expect(await ofBoth()).toEqual([[], ['@bob mentioned you and 0 others']]);
    await write('@carol and @alice');
    expect((await ofBoth())[0]).toEqual(['@bob mentioned you and 1 others']);
  });

  it('are retracted in the block that created them', async () => {
    await index.apply([post('bob', 'note', { body: '@alice' }), post('bob', 'note', { body: 'nobody' })]);
    expect(await ofBoth()).toEqual([[], []]);
    const bodies = ['@carol', 'nobody', '@carol'];
    await index.apply(bodies.map((body) => post('bob', 'other', { body })));
    expect(await ofBoth()).toEqual([[], ['@bob mentioned you and 0 others']]);
  });

  // hivemind stores no mention of the author (`process_hive_post_mentions` in
  // hive/db/sql_scripts/hive_post_operations.sql).
  it('of the author are not counted', async () => {
    await write('@bob and @alice');
    expect(await index.messages('alice')).toEqual(['@bob mentioned you and 0 others']);
    await write('@alice, @carol and @Bob');
    expect(await ofBoth()).toEqual([['@bob mentioned you and 1 others'], ['@bob mentioned you and 1 others']]);
    await write('@bob alone');
    expect([...(await ofBoth()), await index.messages('bob')]).toEqual([[], [], []]);
  });

  it('include accounts that get no notification', async () => {
    await index.apply([follow('carol', 'bob', 'ignore')]);
    await write('@alice and @carol');
    expect(await ofBoth()).toEqual([['@bob mentioned you and 1 others'], []]);
  });

  it('are read from edits that are patches', async () => {
    await write('Thanks to @alice for the honey.');
    await write('@@ -7,24 +7,25 @@\n to @\n-alice\n+carol!\n  for the honey\n');
    expect(await ofBoth()).toEqual([[], ['@bob mentioned you and 0 others']]);
    await write('@@ -8,15 +8,22 @@\n o @carol! \n+or @alice \n for th\n');
    expect(await ofBoth()).toEqual([['@bob mentioned you and 1 others'], ['@bob mentioned you and 1 others']]);
  });

  it('of accounts that do not exist cause no calls to nodes', async () => {
    await write('Thanks to @nobody-here and @alice.');
    expect(index.lookedUp).not.toContain('nobody-here');
    expect(await index.messages('alice')).toHaveLength(1);
  });

  it('are not changed by a patch that does not match', async () => {
    await write('Thanks to @alice.');
    await write('@@ -1,5 +1,5 @@\n x\n-zzzz\n+@carol\n');
    expect(await ofBoth()).toEqual([['@bob mentioned you and 0 others'], []]);
  });
});
