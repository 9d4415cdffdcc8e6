import { longTest } from '@waggle/testing/long-form';
import { type Locator, type Page } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { ChatSite } from './support/chat-site';
import { viewNames, viewsOf } from './support/views';

const site = ChatSite.forTests({ hasDemo: true });
const views = viewsOf(site);

/** Touches a message, moves the finger and lifts it. */
async function touch(
  window: ChatWindow,
  message: Locator,
  { moves = [], isLong = false }: { moves?: readonly (readonly [number, number])[]; isLong?: boolean },
) {
  const box = await message.locator('.bubble').boundingBox();
  const [x, y] = [(box?.x ?? NaN) + 20, (box?.y ?? NaN) + 10];
  const session = await window.page.context().newCDPSession(window.page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await send('touchStart', [{ x, y }]);
  for (const [right, down] of moves) await send('touchMove', [{ x: x + right, y: y + down }]);
  if (isLong) await window.page.locator('.message.pressed').waitFor();
  await send('touchEnd', []);
}

it('replies to a message that is swept aside, and opens its menu at a long press', async () => {
  await (await site.as('bob')).sendTo('alice', 'Sweep me');
  const context = await site.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const alice = await site.signedIn('alice', context);
  await alice.openConversation('bob');
  const message = alice.message('Sweep me');
  const replying = alice.page.locator('waggle-composer').getByText('Replying to bob');
  const left = (px: number) => Array.from({ length: 10 }, (_, i) => [(-px * (i + 1)) / 10, 0] as const);
  // Too short.
  await touch(alice, message, { moves: left(30) });
  expect(await replying.isVisible()).toBe(false);
  await touch(alice, message, { moves: left(90) });
  await replying.waitFor();
  await alice.press('Cancel');
  await replying.waitFor({ state: 'hidden' });
  await touch(alice, message, { isLong: true });
  await alice.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
  await alice.page.getByRole('menuitem', { name: 'Mark as unread' }).tap();
  await alice.page.getByRole('menu').waitFor({ state: 'hidden' });
});

/** What can be touched and is smaller than 44 pixels, except links and marks in lines of text. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const targets = 'button, a[href], input, textarea, summary, [role="option"], [role="menuitem"]';
    const inText = '.content a, .meta button, .muted a';
    const found: string[] = [];
    const search = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) search(element.shadowRoot);
        if (!element.matches(targets) || element.matches(inText) || element.closest('[inert]') !== null) continue;
        // A label, and a field with chips, are part of the control; the space around a chip is, too.
        const boxes = [element, element.closest('label, .field')].flatMap(
          (each) => each?.getBoundingClientRect() ?? [],
        );
        const { content, inset } = getComputedStyle(element, '::after');
        const [block = 0, inline = block] =
          content === 'none' ? [] : inset.split(' ').map((side) => parseFloat(side) || 0);
        const width = Math.max(...boxes.map((box) => box.width)) - 2 * Math.min(inline, 0);
        const height = Math.max(...boxes.map((box) => box.height)) - 2 * Math.min(block, 0);
        const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && width > 0;
        if (isShown && (width < 43.5 || height < 43.5))
          found.push(
            `${Math.round(width)} x ${Math.round(height)}: ${element.outerHTML.replaceAll(/<!--.*?-->/g, '').slice(0, 120)}`,
          );
      }
    };
    search(document);
    return [...new Set(found)];
  });
}

longTest.each(viewNames(views))('has targets of 44 pixels on a touch screen: %s', async (name) => {
  const context = await site.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const { page } = await views[name](context);
  // The actions of a message appear when it has the focus.
  const message = page.locator('li.message').last();
  if (await message.isVisible()) await message.focus();
  expect(await smallTargets(page)).toEqual([]);
});
