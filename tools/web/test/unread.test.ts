import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type BrowserContext, type Locator, type Response } from 'playwright-core';
import { fillHistory } from '../src/bench/history-rows';
import { type ChatWindow } from '../src/chat-window';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

const listOf = ({ page }: ChatWindow): Locator => page.locator('waggle-message-list');
const lineOf = (window: ChatWindow): Locator => listOf(window).getByText('New messages');
const toNewest = (window: ChatWindow): Locator =>
  listOf(window).getByRole('button', { name: 'Go to the newest message' });

/** The message below the line of new messages, if the line is on the screen. */
function firstUnread(window: ChatWindow): Promise<string | undefined> {
  return listOf(window).evaluate((list) => {
    const line = list.shadowRoot?.querySelector('li.unread');
    const scroller = list.shadowRoot?.querySelector('.scroller');
    if (!line || !scroller) return undefined;
    const [shown, all] = [line.getBoundingClientRect(), scroller.getBoundingClientRect()];
    const isShown = shown.top >= all.top && shown.bottom <= all.bottom;
    return isShown ? line.nextElementSibling?.querySelector('.text')?.textContent : undefined;
  });
}

/** The number in the last `message <number>` that is on the screen. */
function lastShown(window: ChatWindow): Promise<number> {
  return listOf(window).evaluate((list) => {
    const bottom = list.shadowRoot?.querySelector('.scroller')?.getBoundingClientRect().bottom ?? 0;
    const rows = [...(list.shadowRoot?.querySelectorAll('li.message') ?? [])];
    const last = rows.findLast((row) => row.getBoundingClientRect().bottom <= bottom);
    return Number(/\d+/.exec(last?.querySelector('.text')?.textContent ?? '')?.[0]);
  });
}

/** The number of unread messages in the entry of a conversation in the list. */
async function unreadIn(window: ChatWindow, title: string): Promise<number> {
  const labels = await window
    .entry(title)
    .getByLabel(/unread/)
    .evaluateAll((badges) => badges.map((badge) => badge.ariaLabel ?? ''));
  return Number(labels[0]?.replace(/\D/g, '') ?? 0);
}

async function waitForUnread(window: ChatWindow, title: string, count: () => Promise<number> | number): Promise<void> {
  await until(async () => (await unreadIn(window, title)) === (await count()));
}

async function scrollBy(window: ChatWindow, px: number): Promise<void> {
  await listOf(window)
    .locator('.scroller')
    .evaluate((scroller, by) => {
      scroller.scrollTop += by;
    }, px);
}

/** Lets pages of the context believe that another window has the focus, or has no longer. */
async function setFocus({ page }: ChatWindow, hasFocus: boolean): Promise<void> {
  await page.evaluate((has) => {
    document.hasFocus = () => has;
    dispatchEvent(new Event(has ? 'focus' : 'blur'));
  }, hasFocus);
}

function pathOf(response: Response): string {
  return new URL(response.url()).pathname;
}

/** Counts the bytes of JSON that pages of the context load over REST. */
function countedBytes(context: BrowserContext): { bytes: () => Promise<number>; paths: () => string[] } {
  const responses: Response[] = [];
  context.on('response', (response) => {
    if (/^\/(messages|users)\//.test(pathOf(response))) responses.push(response);
  });
  return {
    bytes: async () =>
      (await Promise.all(responses.map((response) => response.body()))).reduce((sum, { length }) => sum + length, 0),
    paths: () => responses.map(pathOf),
  };
}

it('opens a conversation at the first unread message, and marks what was on the screen', async () => {
  const [count, unread] = [2_000, 987];
  await fillHistory(site.databaseUrl, ['ivan', 'judy'], count, unread);
  // One after the other: in the same millisecond both would sign the same proof.
  const [ivan, other] = [await site.signedIn('ivan'), await site.signedIn('ivan')];
  await waitForUnread(ivan, 'judy', () => unread);
  await ivan.openConversation('judy');
  await until(async () => /^message 1014\b/.test((await firstUnread(ivan)) ?? ''));
  expect(await toNewest(ivan).textContent()).toContain('9');
  // The badge counts down, on all devices. A message may have been on the screen before the button's bar appeared.
  const left = async (): Promise<number> => count - (await lastShown(ivan));
  const countsDown = async (window: ChatWindow): Promise<boolean> =>
    [0, 1].includes((await left()) - (await unreadIn(window, 'judy')));
  for (const window of [ivan, other]) await until(() => countsDown(window));
  expect(await left()).toBeGreaterThan(unread - 50);
  for (let step = 0; step < 20; step += 1) {
    await scrollBy(ivan, 300);
    await until(async () => (await ivan.texts()).length > 0);
    await ivan.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  for (const window of [ivan, other]) await until(() => countsDown(window));
  expect(await left()).toBeLessThan(unread - 50);
  const read = count - (await unreadIn(ivan, 'judy'));

  // The button skips the others, which stay unread.
  await toNewest(ivan).click();
  await ivan.message(`message ${count}`).waitFor();
  await until(async () => (await lastShown(ivan)) === count);
  const bar = listOf(ivan).getByRole('button', { name: `${count - read} unread messages` });
  await bar.waitFor();
  expect((await ivan.texts()).length).toBeLessThanOrEqual(250);
  for (const window of [ivan, other]) await waitForUnread(window, 'judy', () => count - read);
  await bar.click();
  await until(async () => new RegExp(`^message ${read + 1}\\b`).test((await firstUnread(ivan)) ?? ''));
  await until(async () => (await bar.count()) === 0);
  // The history is there in both directions.
  await ivan.scrollUpTo(read - 200);
  const numbers = (await ivan.texts()).map((text) => Number(/\d+/.exec(text)?.[0]));
  const [first = 0] = numbers;
  expect(numbers).toEqual(numbers.map((_, index) => first + index));
  await toNewest(ivan).click();
  await until(async () => (await lastShown(ivan)) === count);
  await ivan.press('Mark as read');
  for (const window of [ivan, other]) await waitForUnread(window, 'judy', () => 0);
  expect(await lineOf(ivan).count()).toBe(0);
});

longTest('shows where new messages begin each time that the person comes back', async () => {
  const id = await site.createGroup('Again', 'bob', ['carol']);
  await site.createGroup('Elsewhere', 'bob', ['carol']);
  const bob = await site.as('bob');
  const carol = await site.signedIn('carol');
  const sendThree = async (name: string): Promise<void> => {
    for (const n of [1, 2, 3]) await bob.send(id, `${name} ${n}`);
  };
  await carol.openConversation('Again');
  await carol.message('Welcome to Again').waitFor();
  await waitForUnread(carol, 'Again', () => 0);

  await carol.openConversation('Elsewhere');
  await carol.message('Welcome to Elsewhere').waitFor();
  await sendThree('elsewhere');
  await waitForUnread(carol, 'Again', () => 3);
  await carol.openConversation('Again');
  await until(async () => (await firstUnread(carol)) === 'elsewhere 1');
  await waitForUnread(carol, 'Again', () => 0);

  // The conversation stays open, in a window without the focus.
  await setFocus(carol, false);
  for (let n = 1; n <= 40; n += 1) await bob.send(id, `in the background ${n}`);
  await waitForUnread(carol, 'Again', () => 40);
  await setFocus(carol, true);
  await until(async () => (await firstUnread(carol)) === 'in the background 1');
  await until(async () => /^in the background/.test((await carol.texts()).at(-1) ?? ''));
  await until(async () => (await unreadIn(carol, 'Again')) < 40);
  expect(await unreadIn(carol, 'Again')).toBeGreaterThan(10);
  await toNewest(carol).click();
  await carol.press('Mark as read');
  await waitForUnread(carol, 'Again', () => 0);

  // The group is left and joined again.
  await (await site.as('carol')).leave(id);
  await until(async () => (await carol.entry('Again').count()) === 0);
  await bob.send(id, 'while carol is no member');
  await (await site.as('carol')).requestFriendship('bob');
  await bob.requestFriendship('carol');
  await bob.addMember(id, 'carol');
  await sendThree('joined again');
  await waitForUnread(carol, 'Again', () => 3);
  await carol.openConversation('Again');
  await until(async () => (await firstUnread(carol)) === 'joined again 1', { actual: () => firstUnread(carol) });
  await waitForUnread(carol, 'Again', () => 0);
});

longTest('removes the line of new messages when the person answers', async () => {
  const id = await site.createGroup('Answered', 'bob', ['dave']);
  const dave = await site.signedIn('dave');
  await (await site.as('bob')).send(id, 'a question');
  await dave.openConversation('Answered');
  await lineOf(dave).waitFor();
  await dave.send('an answer');
  await dave.message('an answer').waitFor();
  await lineOf(dave).waitFor({ state: 'hidden' });
});

it('loads counts at the start, and not the unread messages', async () => {
  await fillHistory(site.databaseUrl, ['frank', 'grace'], 1_200, 1_000);
  const context = await site.newContext();
  const { bytes, paths } = countedBytes(context);
  const frank = await site.signedIn('frank', context);
  await waitForUnread(frank, 'grace', () => 1_000);
  expect(paths()).not.toContain('/messages/new');
  expect(await bytes()).toBeLessThan(10_000);
  await frank.openConversation('grace');
  await until(async () => /^message 201\b/.test((await firstUnread(frank)) ?? ''));
  expect(await bytes()).toBeLessThan(60_000);
});
