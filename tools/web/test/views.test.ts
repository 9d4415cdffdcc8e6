import { fillChatDemo } from '@waggle/running';
import { until } from '@waggle/testing';
import { isLong, longTest } from '@waggle/testing/long-form';
import { type Page } from 'playwright-core';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { differenceFromScreenshot } from './support/screenshots';
import { pictureHost, viewNames, viewsOf } from './support/views';

const site = ChatSite.forTests({
  hasDemo: true,
  settings: () => Promise.resolve({ ATTACHMENT_HOSTS: pictureHost }),
  origins: () => [`https://${pictureHost}`],
});

const views = viewsOf(site);

/** In the short form one view of each kind: a form, a list, messages, panels and a question. */
const shortNames = ['sign-in', 'conversations', 'new-group', 'settings', 'details', 'rich-messages', 'question'];
const names = viewNames(views).filter((name) => isLong || shortNames.includes(name));

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

interface Variant {
  colorScheme: 'light' | 'dark';
  width: number;
  onlyLong?: true;
}

/** In the short form each color scheme has one width: they change colors, and the width changes the layout. */
const variants: readonly Variant[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 320, onlyLong: true },
  { colorScheme: 'dark', width: 1280, onlyLong: true },
  { colorScheme: 'dark', width: 320 },
];

/** A tablet has two panes. */
const tabletVariants: readonly Variant[] = [
  { colorScheme: 'light', width: 768 },
  { colorScheme: 'dark', width: 768, onlyLong: true },
];

const variantsOf = (name: string) =>
  ['conversation', 'rich-messages'].includes(name) ? [...variants, ...tabletVariants] : variants;

/** The rich messages are seen from the first to the last. */
function heightOf(name: string, width: number): number {
  if (name === 'rich-messages') return 1_200;
  return width === 320 ? 640 : 720;
}

it.each(names)('is accessible and looks as before: %s', async (name) => {
  const { page } = await views[name](await site.newContext());
  for (const { colorScheme, width, onlyLong } of variantsOf(name)) {
    if (onlyLong && !isLong) continue;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: heightOf(name, width) });
    expect(await accessibilityViolations(page)).toEqual([]);
    if (width === 320) expect(await widthOf(page)).toBe(320);
    expect(await differenceFromScreenshot(page, `${name}-${colorScheme}-${width}`)).toBe(0);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await accessibilityViolations(page)).toEqual([]);
});

const viewports = [
  { width: 1280, height: 720 },
  { width: 320, height: 640 },
];

it('is accessible on a chain other than the devnet, where keys cannot be entered', async () => {
  const context = await site.newContext();
  await context.route('**/app/config.json', (route) => route.fulfill({ json: { devnet: false } }));
  const { page } = await site.open(context);
  await page.getByLabel('Account name').waitFor();
  expect(await page.getByRole('button').allTextContents()).toEqual([expect.stringContaining('HiveAuth')]);
  expect(await page.getByLabel('Posting key').count()).toBe(0);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    expect(await accessibilityViolations(page)).toEqual([]);
  }
});

it('is accessible offline, with a message that was not sent until it is discarded', async () => {
  const heidi = await site.as('heidi');
  await heidi.sendTo('frank', 'Hello');
  const context = await site.newContext();
  const frank = await site.signedIn('frank', context);
  await frank.openConversation('heidi');
  // A blocked account gets no event: its next message is rejected.
  await heidi.block('frank');
  await frank.send('Hello?');
  await frank.page.getByText('Not sent: One of you blocks the other').waitFor();
  await context.setOffline(true);
  await frank.page.getByText('You are offline').waitFor();
  for (const viewport of viewports) {
    await frank.page.setViewportSize(viewport);
    expect(await accessibilityViolations(frank.page)).toEqual([]);
  }
  await frank.press('Discard');
  await until(async () => (await frank.message('Hello?').count()) === 0);
});

describe('languages', () => {
  it.each([
    ['es-MX', 'Conversaciones', 'Hoy', 'Mensaje'],
    ['ko-KR', '대화', '오늘', '메시지'],
  ])('has texts, dates and layout in %s', async (locale, title, today, message) => {
    const context = await site.newContext({ locale, viewport: { width: 320, height: 640 } });
    const { page } = await views.conversation(context);
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    await page.getByText(today, { exact: true }).waitFor();
    await page.getByPlaceholder(message, { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await widthOf(page)).toBe(320);
  });

  longTest('shows English if the browser names a locale that does not exist', async () => {
    const context = await site.newContext();
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] });
    });
    const { page } = await views.conversations(context);
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  });

  longTest.each([
    ['es-MX', 'Conversaciones'],
    ['ko-KR', '대화'],
  ])('shows the texts of %s', async (locale, heading) => {
    const { page } = await views.conversations(await site.newContext({ locale }));
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  });

  longTest('shows English if the texts of the language cannot be loaded', async () => {
    const context = await site.newContext({ locale: 'ko-KR' });
    await context.route('**/ko.js', (route) => route.abort());
    const { page } = await views.conversations(context);
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  });

  longTest('shows the clock of the user in a page of another language', async () => {
    const context = await site.newContext({ locale: 'de-DE' });
    const { page } = await views.conversation(context);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    const times = await page.locator('waggle-message-list time').allTextContents();
    expect(times.filter((time) => !/^\d\d:\d\d$/.test(time.trim()))).toEqual([]);
    expect(times).not.toEqual([]);
  });

  it('is mirrored in a right-to-left page', async () => {
    const context = await site.newContext({ viewport: { width: 320, height: 640 } });
    await context.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        document.documentElement.dir = 'rtl';
      });
    });
    const { page } = await views.conversation(context);
    // An arrow has too few pixels for the comparison with the screenshot.
    const icons = page.locator('waggle-conversation').locator('.back svg, .send svg');
    const transforms = await icons.evaluateAll((shown) => shown.map((icon) => getComputedStyle(icon).transform));
    expect(transforms).toEqual(Array(2).fill('matrix(-1, 0, 0, 1, 0, 0)'));
    // English text keeps its own direction.
    const bubbles = page.locator('waggle-message-list .content');
    const aligned = await bubbles.evaluateAll((all) => all.map((bubble) => getComputedStyle(bubble).direction));
    expect(new Set(aligned)).toEqual(new Set(['ltr']));
    expect(await widthOf(page)).toBe(320);
    expect(await differenceFromScreenshot(page, 'conversation-rtl-320')).toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await differenceFromScreenshot(page, 'conversation-rtl-1280')).toBe(0);
  });
});

// The last test, since it changes what the views show.
longTest('has a demo that is created again after alice has left all its conversations', async () => {
  const alice = await site.as('alice');
  for (const { id } of await alice.api.conversations()) await alice.leave(id);
  await fillChatDemo(site.url);
  expect(await alice.api.conversations()).toHaveLength(3);
});
