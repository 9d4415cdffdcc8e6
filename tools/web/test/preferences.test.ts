import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

/** Chooses in the menu of the open conversation. */
async function choose({ page }: ChatWindow, item: string): Promise<void> {
  await page.locator('waggle-conversation header').getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitemcheckbox', { name: item }).click();
}

const titles = (window: ChatWindow) => window.conversations.locator('.item .name').allTextContents();

it('mutes a conversation on all devices: it is counted quietly, and its mentions as before', async () => {
  const id = await site.createGroup('Loud', 'bob', ['alice']);
  const [alice, other] = [await site.signedIn('alice'), await site.signedIn('alice')];
  await alice.openConversation('Loud');
  await choose(alice, 'Mute');
  await other.entry('Loud').getByLabel('Muted', { exact: true }).waitFor();
  await alice.press('New conversation');
  await alice.press('Back');
  const bob = await site.as('bob');
  await bob.send(id, 'Noise');
  const { page } = other;
  await other.entry('Loud').locator('.badge.quiet').waitFor();
  expect(await page.title()).not.toMatch(/^\(/);
  await bob.send(id, 'For @alice');
  await other.entry('Loud').getByLabel('1 unread mention').waitFor();
  await until(async () => (await page.title()).startsWith('(1)'));
  expect(await accessibilityViolations(page)).toEqual([]);
});

longTest('keeps favourites above the others', async () => {
  await site.createGroup('Old', 'bob', ['carol']);
  await site.createGroup('New', 'bob', ['carol']);
  const carol = await site.signedIn('carol');
  await until(async () => (await titles(carol)).join() === 'New,Old');
  await carol.openConversation('Old');
  await choose(carol, 'Favourite');
  await until(async () => (await titles(carol)).join() === 'Old,New');
  await carol.entry('Old').getByLabel('Favourite').waitFor();
  await choose(carol, 'Favourite');
  await until(async () => (await titles(carol)).join() === 'New,Old');
});

it('marks messages as unread from one on, until the conversation is opened again', async () => {
  const bob = await site.as('bob');
  for (const text of ['First', 'Second', 'Third']) await bob.sendTo('dave', text);
  const dave = await site.signedIn('dave');
  await dave.openConversation('bob');
  await until(async () => (await dave.entry('bob').locator('.badge').count()) === 0);
  await dave.chooseForMessage('Second', 'Mark as unread');
  await dave.entry('bob').getByLabel('2 unread messages').waitFor();
  expect(await dave.page.locator('waggle-message-list .unread + li').textContent()).toContain('Second');
  // What arrives while the conversation stays open is unread, too.
  await bob.sendTo('dave', 'Fourth');
  await dave.entry('bob').getByLabel('3 unread messages').waitFor();
  // Neither does a device read them that has the conversation open.
  const again = await site.signedIn('dave');
  await again.openConversation('bob');
  await until(async () => (await dave.entry('bob').locator('.badge').count()) === 0);
  await dave.chooseForMessage('Third', 'Mark as unread');
  for (const each of [dave, again]) await each.entry('bob').getByLabel('2 unread messages').waitFor();
  await bob.sendTo('dave', 'Fifth');
  for (const each of [dave, again]) await each.entry('bob').getByLabel('3 unread messages').waitFor();
  await again.page.locator('waggle-message-list .scroller').hover();
  await again.page.mouse.wheel(0, 10);
  await until(async () => (await dave.entry('bob').locator('.badge').count()) === 0);
});
