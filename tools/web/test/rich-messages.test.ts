import { until, withDatabase } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type BrowserContext, type Locator } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { untilFocused } from './support/focus';

const site = ChatSite.forTests();

/** Opens a dm of the account with bob, who writes texts. @returns also the ids of the messages */
async function openWith(
  account: string,
  texts: readonly string[],
  context?: BrowserContext,
): Promise<{ window: ChatWindow; ids: string[] }> {
  const bob = await site.as('bob');
  const ids: string[] = [];
  for (const text of texts) ids.push((await bob.sendTo(account, text)).id);
  const window = await site.signedIn(account, context);
  await window.openConversation('bob');
  await window.message(texts.at(-1) ?? '').waitFor();
  return { window, ids };
}

/** Presses an action of a message. */
async function act(window: ChatWindow, text: string, action: string): Promise<void> {
  const message = window.message(text).last();
  await message.hover();
  await message.getByRole('button', { name: action, exact: true }).click();
}

/** The bar above the field. */
const aboutOf = ({ page }: ChatWindow) => page.locator('waggle-composer .about');

/** Waits until there is no bar above the field. */
const untilNoBar = (window: ChatWindow) => aboutOf(window).waitFor({ state: 'hidden' });

const quoteOf = (window: ChatWindow, text: string) => window.message(text).locator('.quote');

describe('a reply', () => {
  it('quotes its message, follows its edits and leads to it', async () => {
    const fillers = Array.from({ length: 30 }, (_, i) => `Filler ${i}`);
    const { window: alice, ids } = await openWith('alice', ['Where is the smoker?', ...fillers]);
    const { page } = alice;
    const first = ids[0] ?? '';
    await act(alice, 'Where is the smoker?', 'Reply');
    await untilFocused(alice.composer);
    await aboutOf(alice).getByText('Replying to bob').waitFor();
    await aboutOf(alice).getByText('Where is the smoker?').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await alice.send('In the shed');
    await untilNoBar(alice);
    await alice.message('In the shed').getByLabel('Sent').waitFor();
    const quote = quoteOf(alice, 'In the shed');
    await quote.getByText('Where is the smoker?').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const bob = await site.as('bob');
    await bob.editMessage(first, 'Where is the\nnew smoker?');
    await quote.getByText('Where is the new smoker?').waitFor();
    await alice.scrollToEnd();
    await quote.press('Enter');
    await untilFocused(alice.message('new smoker?').first());
    await bob.deleteMessage(first);
    await quote.getByText('Deleted message').waitFor();
    // There is nothing to go to.
    expect(await quote.evaluate(({ localName }) => localName)).toBe('div');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  longTest('is cancelled without the loss of the draft, which keeps it over a reload', async () => {
    const { window: carol } = await openWith('carol', ['One', 'Two']);
    await carol.composer.fill('A draft');
    await act(carol, 'Two', 'Reply');
    await carol.page.keyboard.press('Escape');
    await untilNoBar(carol);
    await untilFocused(carol.composer);
    expect(await carol.composer.inputValue()).toBe('A draft');
    await act(carol, 'Two', 'Reply');
    await aboutOf(carol).getByRole('button', { name: 'Cancel' }).click();
    await untilNoBar(carol);
    await act(carol, 'One', 'Reply');
    await carol.page.reload();
    await aboutOf(carol).getByText('One').waitFor();
    await carol.composer.press('Enter');
    await quoteOf(carol, 'A draft').getByText('One').waitFor();
  });

  longTest('stays a reply until the service is back', async () => {
    const { window: dave, ids } = await openWith('dave', ['Are you there?']);
    await act(dave, 'Are you there?', 'Reply');
    await site.stop();
    await dave.send('Yes, later');
    await dave.message('Yes, later').getByLabel('Sending').waitFor();
    await quoteOf(dave, 'Yes, later').getByText('Are you there?').waitFor();
    await site.startInstance();
    await dave.message('Yes, later').getByLabel('Sent').waitFor();
    await quoteOf(dave, 'Yes, later').getByText('Are you there?').waitFor();
    const { api } = await site.as('dave');
    const [conversation] = await api.conversations();
    const { messages } = await api.historyPage(conversation?.id ?? '', { extended: true });
    expect(messages.at(-1)?.reply_to).toEqual({ id: ids[0], from: 'bob', content: 'Are you there?' });
  });
});

describe('an edit', () => {
  it('replaces an own text for everyone, with a mark that leads to the former texts', async () => {
    const { window: erin } = await openWith('erin', ['Hi']);
    const { page } = erin;
    await erin.send('See you at ten');
    await erin.message('See you at ten').getByLabel('Sent').waitFor();
    const bob = await site.signedIn('bob');
    await bob.openConversation('erin');
    expect(await erin.message('Hi').getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await erin.composer.fill('A draft');
    await act(erin, 'See you at ten', 'Edit');
    await untilFocused(erin.composer);
    await aboutOf(erin).getByText('Editing').waitFor();
    expect(await erin.composer.inputValue()).toBe('See you at ten');
    expect(await accessibilityViolations(page)).toEqual([]);
    await erin.page.keyboard.press('Escape');
    await untilNoBar(erin);
    expect(await erin.composer.inputValue()).toBe('A draft');
    await act(erin, 'See you at ten', 'Edit');
    await erin.send('See you at eleven');
    await untilNoBar(erin);
    expect(await erin.composer.inputValue()).toBe('A draft');
    for (const window of [erin, bob]) {
      await window.message('See you at eleven').getByRole('button', { name: 'edited' }).waitFor();
      expect(await window.message('See you at ten').count()).toBe(0);
    }
    await erin.entry('bob').getByText('You: See you at eleven').waitFor();
    const mark = bob.message('See you at eleven').getByRole('button', { name: 'edited' });
    expect(await mark.getAttribute('title')).toMatch(/^Edited .*\d\d:\d\d/);
    await mark.press('Enter');
    await bob.page.locator('dialog[open]').getByText('See you at ten').waitFor();
    expect(await accessibilityViolations(bob.page)).toEqual([]);
    await bob.page.keyboard.press('Escape');
    await bob.page.locator('dialog[open]').waitFor({ state: 'detached' });
    await untilFocused(mark);
  });

  longTest('begins with the key ArrowUp in the empty field, and survives a reload', async () => {
    const { window: frank } = await openWith('frank', ['Hi']);
    const { page } = frank;
    await frank.composer.press('ArrowUp');
    await frank.send('Frist');
    await frank.message('Frist').getByLabel('Sent').waitFor();
    await frank.composer.press('ArrowUp');
    await aboutOf(frank).getByText('Frist').waitFor();
    await frank.composer.fill('First');
    await page.reload();
    await aboutOf(frank).getByText('Frist').waitFor();
    expect(await frank.composer.inputValue()).toBe('First');
    await frank.composer.press('Enter');
    await untilNoBar(frank);
    expect(await frank.texts()).toEqual(['Hi', 'First']);
    expect(await frank.composer.inputValue()).toBe('');
    // With a text in the field, the key moves the cursor.
    await frank.composer.fill('A draft');
    await frank.composer.press('ArrowUp');
    expect(await aboutOf(frank).isHidden()).toBe(true);
  });

  longTest('that is refused keeps its text, with the reason at the field', async () => {
    const { window: grace } = await openWith('grace', ['Hi']);
    await grace.send('Long ago');
    await grace.message('Long ago').getByLabel('Sent').waitFor();
    await withDatabase(site.databaseUrl, (client) =>
      client.query("UPDATE message SET sent_at = sent_at - interval '2 days' WHERE content = 'Long ago'"),
    );
    await act(grace, 'Long ago', 'Edit');
    await grace.send('Just now');
    await grace.page.getByRole('alert').getByText('The message is too old to edit.').waitFor();
    await untilFocused(grace.composer.and(grace.page.locator('[aria-invalid="true"]')));
    expect(await grace.composer.inputValue()).toBe('Just now');
    expect(await accessibilityViolations(grace.page)).toEqual([]);
    // What is written for another conversation is not an edit.
    await grace.composer.press('Escape');
    expect(await grace.page.getByRole('alert').count()).toBe(0);
    expect(await grace.composer.inputValue()).toBe('');
    await grace.message('Long ago').waitFor();
  });
});

/** The reactions to a message, with those of the account in brackets. */
function reactionsOf(window: ChatWindow, text: string): Promise<string[]> {
  return window
    .message(text)
    .first()
    .locator('.reaction')
    .evaluateAll((shown) =>
      shown.map((each) => {
        const label = each.textContent.trim();
        return each.getAttribute('aria-pressed') === 'true' ? `[${label}]` : label;
      }),
    );
}

async function untilReactions(window: ChatWindow, text: string, expected: string): Promise<void> {
  await until(async () => (await reactionsOf(window, text)).join(' ') === expected, {
    actual: () => reactionsOf(window, text),
  });
}

describe('a reaction', () => {
  it('is added, counted and removed by two people, who see it at once', async () => {
    const { window: heidi } = await openWith('heidi', ['Honey is ready']);
    const bob = await site.signedIn('bob');
    await bob.openConversation('heidi');
    await act(heidi, 'Honey is ready', 'React');
    const choice = (window: ChatWindow, emoji: string) =>
      window.page.getByRole('menuitemcheckbox', { name: emoji, exact: true });
    expect(await accessibilityViolations(heidi.page)).toEqual([]);
    expect(await heidi.page.getByRole('menuitemcheckbox').count()).toBe(5);
    await choice(heidi, '🎉').click();
    await untilReactions(heidi, 'Honey is ready', '[🎉 1]');
    await untilReactions(bob, 'Honey is ready', '🎉 1');
    await bob.page.getByRole('button', { name: '🎉 1' }).click();
    await untilReactions(bob, 'Honey is ready', '[🎉 2]');
    await act(bob, 'Honey is ready', 'React');
    expect(await choice(bob, '🎉').getAttribute('aria-checked')).toBe('true');
    await choice(bob, '❤️').click();
    await untilReactions(heidi, 'Honey is ready', '[🎉 2] ❤️ 1');
    for (const { page } of [heidi, bob]) expect(await accessibilityViolations(page)).toEqual([]);
    await heidi.page.getByRole('button', { name: '🎉 2' }).click();
    await untilReactions(heidi, 'Honey is ready', '🎉 1 ❤️ 1');
    await untilReactions(bob, 'Honey is ready', '[🎉 1] [❤️ 1]');
    // The menu removes, too.
    await act(bob, 'Honey is ready', 'React');
    await choice(bob, '🎉').click();
    await untilReactions(bob, 'Honey is ready', '[❤️ 1]');
    await bob.page.reload();
    await untilReactions(bob, 'Honey is ready', '[❤️ 1]');
  });

  longTest('that is refused says why', async () => {
    const { window: ivan, ids } = await openWith('ivan', ['Twenty kinds']);
    const bob = await site.as('bob');
    const emoji = Array.from({ length: 20 }, (_, i) => String.fromCodePoint(0x1f400 + i));
    for (const each of emoji) await bob.addReaction(ids[0] ?? '', each);
    await ivan.message('Twenty kinds').locator('.reaction').nth(19).waitFor();
    await act(ivan, 'Twenty kinds', 'React');
    await ivan.page.getByRole('menuitemcheckbox').first().click();
    await ivan.page.getByRole('alert').getByText('too many different reactions').waitFor();
  });
});

longTest('needs a keyboard only', async () => {
  const { window: judy } = await openWith('judy', ['One', 'Two']);
  const { page } = judy;
  await judy.send('Mine');
  await judy.message('Mine').getByLabel('Sent').waitFor();
  const [two, mine] = [judy.message('Two'), judy.message('Mine')];
  const button = (message: Locator, name: string) => message.getByRole('button', { name, exact: true });
  await page.locator('waggle-message-list .scroller').focus();
  await page.keyboard.press('Enter');
  await untilFocused(mine);
  await page.keyboard.press('ArrowUp');
  await untilFocused(two);
  await page.keyboard.press('Tab');
  await untilFocused(button(two, 'React'));
  await page.keyboard.press('Enter');
  const choices = page.getByRole('menuitemcheckbox');
  await untilFocused(choices.nth(0));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await untilFocused(choices.nth(1));
  await page.keyboard.press('Escape');
  await untilFocused(button(two, 'React'));
  expect(await two.isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await untilFocused(choices.nth(0));
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await untilReactions(judy, 'Two', '[🎉 1]');
  await untilFocused(button(two, 'React'));
  await page.keyboard.press('Tab');
  await untilFocused(button(two, 'Reply'));
  await page.keyboard.press('Enter');
  await untilFocused(judy.composer);
  await page.keyboard.type('To two');
  await page.keyboard.press('Enter');
  await quoteOf(judy, 'To two').getByText('Two').waitFor();
  await judy.message('To two').getByLabel('Sent').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type(', edited');
  await page.keyboard.press('Enter');
  await judy.message('To two, edited').getByRole('button', { name: 'edited' }).waitFor();
  await untilFocused(judy.composer);
});

longTest('has large targets on a touch screen, in a page from right to left', async () => {
  const context = await site.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await context.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.dir = 'rtl';
    });
  });
  const { window: alice, ids } = await openWith('alice', ['Touched'], context);
  const { page } = alice;
  await (await site.as('bob')).addReaction(ids[0] ?? '', '👍');
  const message = alice.message('Touched').first();
  await message.locator('.bubble').tap();
  const targets = ['React', 'Reply', 'More actions', /^👍 1$/].map((name) => message.getByRole('button', { name }));
  for (const target of targets) await expectLarge(target);
  await message.getByRole('button', { name: 'React' }).tap();
  const choices = page.getByRole('menuitemcheckbox');
  await untilFocused(choices.first());
  for (const target of await choices.all()) await expectLarge(target);
  const menu = await page.getByRole('menu').boundingBox();
  expect(menu?.x).toBeGreaterThanOrEqual(0);
  expect((menu?.x ?? 0) + (menu?.width ?? Infinity)).toBeLessThanOrEqual(320);
  // The first one is at the right, where lines begin.
  const [first, second] = await Promise.all([choices.nth(0).boundingBox(), choices.nth(1).boundingBox()]);
  expect(first?.x).toBeGreaterThan(second?.x ?? Infinity);
  await page.keyboard.press('ArrowLeft');
  await untilFocused(choices.nth(1));
  await choices.nth(2).tap();
  await untilReactions(alice, 'Touched', '👍 1 [😂 1]');
  await message.locator('.bubble').tap();
  await message.getByRole('button', { name: 'Reply' }).tap();
  await aboutOf(alice).getByText('Replying to').waitFor();
  await expectLarge(aboutOf(alice).getByRole('button'));
  await alice.send('Answered');
  await quoteOf(alice, 'Answered').waitFor();
  await expectLarge(quoteOf(alice, 'Answered'));
  // Buttons of a message that has no focus stay where they are until the finger leaves them.
  await message.getByRole('button', { name: '👍 1' }).tap();
  await untilReactions(alice, 'Touched', '[👍 2] [😂 1]');
  await quoteOf(alice, 'Answered').tap();
  await untilFocused(message);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

async function expectLarge(target: Locator): Promise<void> {
  const size = async () => {
    const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
    return Math.min(width, height);
  };
  await until(async () => (await size()) >= 44, { actual: size });
}
