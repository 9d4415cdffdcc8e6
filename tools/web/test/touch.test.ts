import { type Locator } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

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
