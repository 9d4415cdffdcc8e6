import { longTest } from '@waggle/testing/long-form';
import { type Page } from 'playwright-core';
import { ChatSite } from './support/chat-site';
import { isFocused } from './support/focus';

const site = ChatSite.forTests();

/** Presses a key that an input method handles. */
async function pressInInputMethod(page: Page, key: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const type of ['rawKeyDown', 'keyUp'] as const)
    await session.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 229 });
  await session.detach();
}

/** Shows a text as one that an input method composes, until `confirm`. */
async function compose(page: Page, text: string): Promise<{ confirm: () => Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  return { confirm: () => page.keyboard.insertText(text) };
}

it('Tab goes into a panel after an action in it', async () => {
  const judy = await site.signedIn('judy');
  const { page } = judy;
  await judy.openPeople();
  await judy.fill('Add friend', 'ivan');
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await page.locator('waggle-people .entry').getByText('ivan').waitFor();
  await page.locator('waggle-chat .list .pane:not([hidden]) header button').focus();
  await page.keyboard.press('Tab');
  expect(await isFocused(page.getByLabel('Add friend'))).toBe(true);
});

longTest('the arrow down visits every row of emoji, also where a group ends with a short one', async () => {
  await site.createGroup('Emoji', 'alice', ['bob']);
  const bob = await site.signedIn('bob');
  const { page } = bob;
  await bob.openConversation('Emoji');
  await bob.press('Emoji');
  const emoji = page.locator('waggle-emoji-picker [data-emoji]');
  await emoji.first().waitFor();
  /** The row of each emoji, counted through all groups. */
  const rows = await emoji.evaluateAll((buttons) => {
    const tops = buttons.map((button) => button.getBoundingClientRect().top);
    return tops.map((top, i) => new Set(tops.slice(0, i + 1)).size - 1);
  });
  const focusedRow = async () =>
    rows[await emoji.evaluateAll((buttons) => buttons.findIndex((button) => button.matches(':focus')))];
  // In the last column: a short row has none.
  await emoji.nth(rows.lastIndexOf(0)).focus();
  const visited: (number | undefined)[] = [];
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('ArrowDown');
    visited.push(await focusedRow());
  }
  expect(visited).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
});

describe('an input method', () => {
  // Chromium and Firefox end the composition after the key; Safari ends it before.
  it.each(['after', 'before'])('may end its composition %s the Enter that confirms a word', async (order) => {
    await site.createGroup(`Words ${order}`, 'alice', ['bob']);
    const alice = await site.signedIn('alice');
    await alice.openConversation(`Words ${order}`);
    await alice.composer.focus();
    const composition = await compose(alice.page, '안녕');
    if (order === 'before') await composition.confirm();
    await pressInInputMethod(alice.page, 'Enter');
    if (order === 'after') await composition.confirm();
    expect(await alice.composer.inputValue()).toBe('안녕');
    await alice.page.keyboard.insertText('하세요');
    await alice.page.keyboard.press('Enter');
    await alice.message('안녕하세요').getByLabel('Sent').waitFor();
    expect(await alice.texts()).toEqual([`Welcome to Words ${order}`, '안녕하세요']);
  });

  longTest('takes the arrow keys that choose a word in the search field', async () => {
    const carol = await site.signedIn('carol');
    await site.createGroup('Searched', 'alice', ['carol']);
    await carol.entry('Searched').waitFor();
    const search = carol.page.getByLabel('Search conversations');
    await search.focus();
    await compose(carol.page, 'S');
    await pressInInputMethod(carol.page, 'ArrowDown');
    expect(await isFocused(search)).toBe(true);
    await pressInInputMethod(carol.page, 'Enter');
    expect(await search.inputValue()).toBe('S');
  });

  longTest('confirms a word in a form without sending the form', async () => {
    const dave = await site.signedIn('dave');
    await dave.openChannels();
    const name = dave.page.locator('waggle-channels #channel');
    await name.focus();
    const composition = await compose(dave.page, '蜂蜜');
    await pressInInputMethod(dave.page, 'Enter');
    await composition.confirm();
    await pressInInputMethod(dave.page, 'Enter');
    expect(await name.inputValue()).toBe('蜂蜜');
    await dave.page.keyboard.press('Enter');
    await dave.page.getByRole('heading', { name: '蜂蜜' }).waitFor();
  });
});
