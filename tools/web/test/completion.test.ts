import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { untilFocused } from './support/focus';

const site = ChatSite.forTests();

const optionsOf = ({ page }: ChatWindow) => page.locator('waggle-composer').getByRole('option');
const labelsOf = (window: ChatWindow) => optionsOf(window).locator('bdi').allTextContents();
const selected = ({ page }: ChatWindow) => page.locator('waggle-composer').getByRole('option', { selected: true });

async function opened(account: string, group: string): Promise<ChatWindow> {
  const window = await site.signedIn(account);
  await window.openConversation(group);
  await window.composer.focus();
  return window;
}

it('completes accounts by keys, and sends nothing meanwhile', async () => {
  await site.createGroup('Hives', 'alice', ['bob', 'carol', 'dave']);
  const alice = await opened('alice', 'Hives');
  const { keyboard } = alice.page;
  await keyboard.type('Ask @');
  await until(async () => (await optionsOf(alice).count()) === 4);
  expect(await accessibilityViolations(alice.page)).toEqual([]);
  await keyboard.type('d');
  await selected(alice).getByText('dave').waitFor();
  expect(await alice.composer.getAttribute('aria-activedescendant')).toBe(await selected(alice).getAttribute('id'));
  await keyboard.press('Enter');
  expect(await alice.composer.inputValue()).toBe('Ask @dave ');
  expect(await optionsOf(alice).count()).toBe(0);
  await keyboard.type('or @');
  await keyboard.press('ArrowUp');
  await keyboard.press('Tab');
  expect(await alice.composer.inputValue()).toBe('Ask @dave or @all ');
  // Escape closes the suggestions until another name begins.
  await keyboard.type('@b');
  await selected(alice).getByText('bob').waitFor();
  await keyboard.press('Escape');
  await keyboard.type('o');
  expect(await optionsOf(alice).count()).toBe(0);
  await keyboard.press('Enter');
  await alice.message('Ask @dave or @all @bo').getByLabel('Sent').waitFor();
  // A member who is no moderator cannot mention all.
  const bob = await opened('bob', 'Hives');
  // The most recent senders come first once the messages are loaded.
  await bob.message('Ask @dave').waitFor();
  await bob.page.keyboard.type('@');
  await until(async () => (await labelsOf(bob)).join() === 'alice,carol,dave', { actual: () => labelsOf(bob) });
  await optionsOf(bob).filter({ hasText: 'carol' }).click();
  await untilFocused(bob.composer);
  expect(await bob.composer.inputValue()).toBe('@carol ');
});

longTest('completes emoji by their names in the language of the page', async () => {
  await site.createGroup('Bees', 'erin', ['bob']);
  const erin = await opened('erin', 'Bees');
  const { keyboard } = erin.page;
  await keyboard.type('At 12:30 :honeyb');
  await selected(erin).getByText('honeybee').waitFor();
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await erin.message('At 12:30 🐝').getByLabel('Sent').waitFor();
});

it('lets any emoji be chosen, for a text and as a reaction', async () => {
  await site.createGroup('Moods', 'frank', ['bob']);
  const frank = await opened('frank', 'Moods');
  const { page } = frank;
  const dialog = page.locator('dialog[open]');
  await frank.composer.fill('ab');
  await page.keyboard.press('ArrowLeft');
  await frank.press('Emoji');
  await dialog.getByRole('button', { name: 'grinning face', exact: true }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await untilFocused(dialog.getByRole('button').first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await untilFocused(dialog.getByRole('button').nth(1));
  await page.keyboard.press('ArrowUp');
  await untilFocused(dialog.locator('input'));
  await page.keyboard.type('sunfl');
  await dialog.getByRole('button', { name: 'sunflower' }).waitFor();
  await page.keyboard.press('Enter');
  await untilFocused(frank.composer);
  expect(await frank.composer.inputValue()).toBe('a🌻b');
  const message = frank.message('Welcome to Moods').last();
  await message.hover();
  await message.getByRole('button', { name: 'React' }).click();
  await page.getByRole('menuitem', { name: 'Another emoji' }).click();
  await untilFocused(dialog.locator('input'));
  await page.keyboard.type('honey pot');
  await dialog.getByRole('button', { name: 'honey pot' }).click();
  await message.getByRole('button', { name: /^🍯 1/ }).waitFor();
  // Closing it chooses nothing.
  await frank.press('Emoji');
  await dialog.locator('input').waitFor();
  await page.keyboard.press('Escape');
  await untilFocused(frank.composer);
  expect(await frank.composer.inputValue()).toBe('a🌻b');
});
