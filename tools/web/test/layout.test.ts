import { type Locator } from 'playwright-core';
import { ChatSite } from './support/chat-site';
import { pictureHost, viewsOf } from './support/views';

const site = ChatSite.forTests({
  hasDemo: true,
  settings: () => Promise.resolve({ ATTACHMENT_HOSTS: pictureHost }),
  origins: () => [`https://${pictureHost}`],
});

const views = viewsOf(site);

interface Box {
  left: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

/** The positions and sizes of all elements that the locator finds. */
function boxesOf(locator: Locator): Promise<Box[]> {
  return locator.evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, bottom, width, height } = element.getBoundingClientRect();
      return { left, right, bottom, width, height };
    }),
  );
}

async function boxOf(locator: Locator): Promise<Box> {
  const [box] = await boxesOf(locator.first());
  if (box === undefined) throw new Error('There is no such element');
  return box;
}

const distinct = (values: readonly number[]) => [...new Set(values)];

it('aligns entries, headers and the logo', async () => {
  const { page } = await views['details-creator'](await site.newContext());
  const entries = await boxesOf(page.locator('waggle-conversation-list li'));
  expect(entries).toHaveLength(3);
  expect(distinct(entries.map(({ height }) => height))).toHaveLength(1);
  const headers = await Promise.all(
    ['waggle-conversation header', '.aside > header'].map((selector) => boxOf(page.locator(selector))),
  );
  expect(distinct(headers.map(({ bottom }) => bottom))).toHaveLength(1);

  const empty = await views['no-conversations'](await site.newContext());
  const logo = await boxOf(empty.page.locator('.welcome .brand svg'));
  const pane = await boxOf(empty.page.locator('.welcome'));
  expect(logo.left - pane.left).toBeCloseTo(pane.right - logo.right, 0);
});

it('shows a picture without empty space beside it, and begins lines at their start in a right-to-left page', async () => {
  const { page } = await views['rich-messages'](await site.newContext({ viewport: { width: 1280, height: 1200 } }));
  const bubble = page.locator('waggle-message-list .bubble', { has: page.locator('.picture') });
  const picture = await boxOf(bubble.locator('img'));
  const around = await boxOf(bubble);
  // The line of a mention is 3 pixels wide.
  expect(picture.left - around.left - 3).toBe(around.right - picture.right);

  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
  });
  for (const [line, above] of [
    ['.quoted', '.author'],
    ['.pinned .ellipsis', '.pinned strong'],
    ['waggle-composer .about .quoted', 'waggle-composer .about strong'],
  ] as const) {
    const [lower, upper] = [await boxOf(page.locator(line)), await boxOf(page.locator(above))];
    expect({ line, right: lower.right }).toEqual({ line, right: upper.right });
  }
  // What is cut off is the end of the text, which has its own direction.
  const preview = page.locator('waggle-conversation-list .preview bdi').first();
  const { left, right } = await boxOf(preview);
  const pane = await boxOf(page.locator('waggle-conversation-list .preview').first());
  expect([left >= pane.left, right]).toEqual([true, pane.right]);
});

it('shows in forced colours which entry is selected, and the knob of a switch', async () => {
  const judy = await site.signedIn('judy');
  await judy.openSettings();
  const { page } = judy;
  await page.emulateMedia({ forcedColors: 'active' });
  const [knob, canvas] = await page.locator('#only-from-friends').evaluate((input) => {
    document.body.style.backgroundColor = 'Canvas';
    return [getComputedStyle(input, '::before'), getComputedStyle(document.body)].map((style) => style.backgroundColor);
  });
  expect(knob).not.toBe(canvas);
  await page.keyboard.press('Control+k');
  const selected = page.locator('waggle-palette [aria-selected="true"]');
  expect(await selected.evaluate((entry) => getComputedStyle(entry).outlineStyle)).toBe('solid');
});

it('shows the whole name of a conversation on the narrowest phone', async () => {
  const dave = await site.signedIn('dave', await site.newContext({ viewport: { width: 320, height: 640 } }));
  await dave.openConversation('Honey harvest');
  const title = dave.page.locator('waggle-conversation h2 bdi');
  expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
});
