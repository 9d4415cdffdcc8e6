import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type Locator } from 'playwright-core';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

/** Makes everything that moves in an element take a minute, so that a test sees it. */
async function slowDown(element: Locator): Promise<void> {
  await element.evaluate((slow) => {
    if (slow instanceof HTMLElement) slow.style.setProperty('--_slow', '60s');
  });
}

/** How many pixels from their place the moving elements are, to the right or down. */
async function offsetsOf(elements: Locator): Promise<string[]> {
  const translations = await elements.evaluateAll((moving) =>
    moving
      .filter((element) => element.getAnimations().length > 0)
      .map((element) => getComputedStyle(element).translate),
  );
  return translations.map((each) => each.replaceAll(/\d+(\.\d+)?px/g, 'px'));
}

it.each([
  ['ltr', 'px', '-px'],
  ['rtl', '-px', 'px'],
])('panes come from the side on a phone (%s)', async (dir, opened, returned) => {
  const context = await site.newContext({
    viewport: { width: 320, height: 640 },
    reducedMotion: 'no-preference',
  });
  const alice = await site.signedIn('alice', context);
  await alice.page.evaluate((value) => {
    document.documentElement.dir = value;
  }, dir);
  await slowDown(alice.page.locator('waggle-chat'));
  await alice.openSettings();
  const panes = alice.page.locator('waggle-chat .list > .pane');
  await until(async () => (await offsetsOf(panes)).join() === opened);
  await alice.page.goBack();
  await until(async () => (await offsetsOf(panes)).join() === returned);
});

longTest('conversations glide to their new places', async () => {
  const [first, second] = [
    await site.createGroup('First', 'bob', ['alice']),
    await site.createGroup('Second', 'bob', ['alice']),
  ];
  const context = await site.newContext({ reducedMotion: 'no-preference' });
  const alice = await site.signedIn('alice', context);
  const entries = alice.conversations.locator('li');
  const bob = await site.as('bob');
  await bob.send(second, 'at the top');
  await alice.entry('Second').getByText('at the top').waitFor();
  await until(async () => (await offsetsOf(entries)).length === 0);
  await slowDown(alice.conversations);
  await bob.send(first, 'above it');
  await until(async () => (await offsetsOf(entries)).sort().join() === 'px -px,px px');
});

longTest('nothing moves for people who prefer that', async () => {
  const context = await site.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
  const alice = await site.signedIn('alice', context);
  const chat = alice.page.locator('waggle-chat');
  const duration = await chat.evaluate((element) => getComputedStyle(element).getPropertyValue('--_slow'));
  expect(parseFloat(duration)).toBeLessThan(1);
  await alice.openSettings();
  await until(async () => (await offsetsOf(chat.locator('.list > .pane'))).length === 0);
});

it.each([
  ['no-preference', 'pulse'],
  ['reduce', 'none'],
] as const)('shows shapes while conversations and messages load (motion: %s)', async (reducedMotion, animation) => {
  const name = `Slow ${reducedMotion}`;
  await site.createGroup(name, 'erin', ['frank']);
  const context = await site.newContext({ reducedMotion });
  let load = (): void => undefined;
  const isWanted = new Promise<void>((resolve) => {
    load = resolve;
  });
  let show = (): void => undefined;
  const isShown = new Promise<void>((resolve) => {
    show = resolve;
  });
  await context.route('**/messages/conversations**', (route) => isWanted.then(() => route.continue()));
  await context.route('**/messages/chats**', (route) => isShown.then(() => route.continue()));
  const erin = await site.signedIn('erin', context);
  const shapesIn = (element: string) => erin.page.locator(element).locator('.skeleton');
  const animationOf = (element: string) =>
    shapesIn(element).evaluate((shapes) => getComputedStyle(shapes).animationName);
  expect(await animationOf('waggle-conversation-list')).toBe(animation);
  await erin.conversations.getByRole('status').getByText('Loading…').waitFor();
  load();
  await erin.entry(name).click();
  expect(await shapesIn('waggle-conversation-list').count()).toBe(0);
  expect(await animationOf('waggle-message-list')).toBe(animation);
  show();
  await erin.message(`Welcome to ${name}`).waitFor();
  await shapesIn('waggle-message-list').waitFor({ state: 'detached' });
});
