import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

it('marks mentions, counts them at their conversation, and lists them', async () => {
  const id = await site.createGroup('Apiary', 'bob', ['alice', 'carol']);
  const alice = await site.signedIn('alice');
  const { page } = alice;
  await alice.entry('Apiary').waitFor();
  const bob = await site.as('bob');
  await bob.send(id, 'No one in particular');
  await bob.send(id, 'Ask @carol');
  await bob.send(id, 'Or **@alice**, not `@alice`');
  await alice.entry('Apiary').getByLabel('1 unread mention').waitFor();
  await alice
    .entry('Apiary')
    .getByLabel(/^\d unread messages$/)
    .waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);

  await alice.press('Mentions: 1');
  const listed = page.locator('waggle-mentions li');
  await listed.getByText('Or @alice, not @alice').waitFor();
  expect(await listed.count()).toBe(1);
  expect(await listed.getAttribute('class')).toBe('is-unread');
  // The dot is beside the name.
  const nameHeight = await listed.locator('.name').evaluate((name) => name.getBoundingClientRect().height);
  expect(nameHeight).toBeLessThan(30);
  expect(await accessibilityViolations(page)).toEqual([]);
  await listed.getByRole('button').click();
  const message = alice.message('Or @alice');
  await message.waitFor();
  expect(await message.getAttribute('class')).toContain('mention');
  expect(await message.locator('.text .mention').allTextContents()).toEqual(['@alice']);
  expect(await message.locator('.text .mention').getAttribute('class')).toBe('mention own');
  expect(await alice.message('Ask @carol').locator('.text .mention').getAttribute('class')).toBe('mention');
  expect(await alice.message('Ask @carol').getAttribute('class')).not.toContain('mention');
  // Reading the conversation reads the mention.
  await until(async () => (await alice.entry('Apiary').locator('.badge').count()) === 0);
  await page.getByRole('button', { name: 'Mentions: 1' }).waitFor({ state: 'detached' });
});

longTest('counts mentions that edits add and remove, replies, and mentions of all by a moderator', async () => {
  const id = await site.createGroup('Edits', 'bob', ['erin']);
  const erin = await site.signedIn('erin');
  await erin.entry('Edits').waitFor();
  const [bob, other] = [await site.as('bob'), await site.as('erin')];
  const own = await other.send(id, 'Mine');
  const { id: messageId } = await bob.send(id, 'Hello');
  const badge = (count: number) => erin.entry('Edits').getByLabel(`${count} unread mention${count === 1 ? '' : 's'}`);
  await bob.editMessage(messageId, 'Hello @erin');
  await badge(1).waitFor();
  await bob.send(id, 'Yours', { replyTo: own.id });
  await badge(2).waitFor();
  await bob.send(id, '@all harvest today');
  await badge(3).waitFor();
  await bob.editMessage(messageId, 'Hello');
  await badge(2).waitFor();
  await erin.openConversation('Edits');
  await erin.message('harvest today').locator('.mention.own').getByText('@all').waitFor();
  expect(await erin.message('Yours').getAttribute('class')).toContain('mention');
  await until(async () => (await erin.entry('Edits').locator('.badge').count()) === 0);
  // An edit that mentions the reader of an open conversation is read at once.
  await bob.editMessage(messageId, 'Hello again @erin');
  await erin.message('Hello again').locator('.mention.own').waitFor();
  await until(async () => (await other.api.unreadCounts()).mentions === 0);
});
