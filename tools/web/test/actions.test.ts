import { devnetKeys } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type Locator } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { isFocused, untilFocused } from './support/focus';

const site = ChatSite.forTests();

/** The accounts in the list of members, from the top down. */
function members({ page }: ChatWindow): Promise<string[]> {
  return page.locator('waggle-conversation-details .member .ellipsis').allTextContents();
}

/** Waits until a field is marked as invalid with this error, and has the focus. */
async function untilInvalid(field: Locator, error: string | RegExp): Promise<void> {
  await field.and(field.page().locator('[aria-invalid="true"]')).waitFor();
  await untilFocused(field);
  const described = await field.evaluate((element) => {
    const root = element.getRootNode();
    const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
    const found = root instanceof ShadowRoot ? root.getElementById(ids.at(-1) ?? '') : null;
    return { role: found?.role, text: found?.textContent };
  });
  expect(described).toEqual({ role: 'alert', text: expect.stringMatching(error) });
}

describe('members', () => {
  it('are removed only after a question that names them', async () => {
    const id = await site.createGroup('Removals', 'alice', ['bob', 'carol']);
    const alice = await site.signedIn('alice');
    await alice.openConversation('Removals');
    await alice.openDetails();
    await alice.chooseForMember('bob', 'Remove');
    const question = alice.page.locator('dialog[open]');
    await question.getByText('Remove bob?').waitFor();
    await alice.confirm('Cancel');
    await question.waitFor({ state: 'detached' });
    expect((await (await site.as('alice')).api.conversation(id)).members).toContain('bob');
    await alice.chooseForMember('bob', 'Remove');
    await alice.confirm('Remove');
    await until(async () => (await members(alice)).join() === 'alice,carol');
    // The focus stays in the list.
    await untilFocused(alice.page.locator('waggle-conversation-details h3'));
  });

  longTest('have a menu of actions for the keyboard and for fingers', async () => {
    await site.createGroup('Menus', 'alice', ['bob', 'carol']);
    const context = await site.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    const alice = await site.signedIn('alice', context);
    const { page } = alice;
    await alice.openConversation('Menus');
    await alice.openDetails();
    const button = page.getByRole('button', { name: 'Actions for bob' });
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await untilFocused(item('Make moderator'));
    for (const target of [button, item('Make moderator'), item('Remove')]) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(item('Remove'))).toBe(true);
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(item('Make moderator'))).toBe(true);
    await page.keyboard.press('End');
    expect(await isFocused(item('Remove'))).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await untilFocused(button);
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowUp');
    await untilFocused(item('Remove'));
    await page.keyboard.press('Tab');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    // The last row's menu opens above it.
    await page.getByRole('button', { name: 'Actions for carol' }).tap();
    const { y = 0, height = 0 } = (await page.getByRole('menu').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(640);
  });

  longTest('keep their places when roles change, which can be undone', async () => {
    const id = await site.createGroup('Places', 'alice', ['bob', 'carol', 'erin']);
    const alice = await site.signedIn('alice');
    const { page } = alice;
    await alice.openConversation('Places');
    await alice.openDetails();
    expect(await members(alice)).toEqual(['alice', 'bob', 'carol', 'erin']);
    const moderators = async () => (await (await site.as('alice')).api.conversation(id)).moderators;
    await alice.chooseForMember('erin', 'Make moderator');
    const status = page.locator('waggle-conversation-details .outcome');
    await status.getByText('erin is now a moderator.').waitFor();
    expect(await moderators()).toEqual(['erin']);
    await page.locator('.member', { hasText: 'erin' }).getByText('Moderator', { exact: true }).waitFor();
    await (await site.as('alice')).addMember(id, 'dave');
    await until(async () => (await members(alice)).join() === 'alice,bob,carol,erin,dave');
    expect(await accessibilityViolations(page)).toEqual([]);
    await alice.press('Undo');
    await status.getByText('erin is no longer a moderator.').waitFor();
    expect(await moderators()).toEqual([]);
    expect(await members(alice)).toEqual(['alice', 'bob', 'carol', 'erin', 'dave']);
    // Opened again, the list begins with the roles.
    await (await site.as('alice')).addModerator(id, 'erin');
    await page.locator('.member', { hasText: 'erin' }).getByText('Moderator', { exact: true }).waitFor();
    await alice.press('Close');
    await alice.openDetails();
    expect(await members(alice)).toEqual(['alice', 'erin', 'bob', 'carol', 'dave']);
  });

  it('that are removed read so in the conversation, with the messages that they saw', async () => {
    const id = await site.createGroup('Farewell', 'alice', ['grace']);
    const [alice, grace] = [await site.as('alice'), await site.signedIn('grace')];
    await grace.openConversation('Farewell');
    await grace.send('Hello, all');
    await grace.message('Hello, all').getByLabel('Sent').waitFor();
    await grace.composer.focus();
    await alice.removeMember(id, 'grace');
    const notice = grace.page.getByRole('alert').getByText('You are no longer a member of this group.');
    await notice.waitFor();
    await untilFocused(notice);
    expect(await grace.texts()).toEqual(['Welcome to Farewell', 'Hello, all']);
    expect(await grace.composer.count()).toBe(0);
    expect(await grace.entry('Farewell').count()).toBe(0);
    await grace.message('Hello, all').hover();
    await grace.message('Hello, all').getByRole('button', { name: 'More actions' }).click();
    expect(await grace.page.getByRole('menuitem').allTextContents()).toEqual([
      expect.stringContaining('Copy text') as string,
    ]);
    await grace.page.keyboard.press('Escape');
    expect(await grace.page.locator('waggle-conversation button.title').isDisabled()).toBe(true);
    expect(await accessibilityViolations(grace.page)).toEqual([]);
    await alice.send(id, 'without grace');
    await alice.addMember(id, 'grace');
    await grace.message('without grace').waitFor();
    expect(await grace.texts()).toEqual(['Welcome to Farewell', 'Hello, all', 'without grace']);
    await grace.composer.waitFor();
    // Without any messages there is only the notice.
    await alice.removeMember(id, 'grace');
    await notice.waitFor();
    await grace.page.reload();
    await grace.page.getByText('This conversation does not exist, or you are not a member.').waitFor();
  });
});

longTest('ask before a friend is removed, from the details too', async () => {
  const [heidi, ivan] = [await site.as('heidi'), await site.as('ivan')];
  await heidi.requestFriendship('ivan');
  await ivan.requestFriendship('heidi');
  await ivan.sendTo('heidi', 'Hello, friend');
  const window = await site.signedIn('heidi');
  await window.openConversation('ivan');
  await window.openDetails();
  await window.press('Remove friend');
  await window.confirm('Cancel');
  expect((await heidi.api.friends()).friends).toContain('ivan');
  await window.press('Remove friend');
  await window.confirm('Remove friend');
  await window.page.locator('waggle-conversation-details').getByRole('button', { name: 'Add friend' }).waitFor();
});

describe('errors', () => {
  it('of a new conversation are at their field, and name the account', async () => {
    const judy = await site.signedIn('judy');
    const { page } = judy;
    const requests: string[] = [];
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => requests.push(String(payload)));
    });
    await page.reload();
    await judy.openNewConversation();
    const to = page.locator('waggle-new-conversation #to');
    const begin = async (accounts: string) => {
      // Also the chips of the attempt before it.
      while ((await page.locator('.chip').count()) > 0) await page.locator('.chip').first().press('Enter');
      await judy.pick(accounts);
      await judy.fill('First message', 'Hello');
      await judy.submit.click();
    };
    await begin('bobb');
    await untilInvalid(to, 'bobb does not exist');
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    await begin('bob, carol, nobody-here');
    await untilInvalid(to, 'nobody-here does not exist');
    await begin('bob, No!');
    await untilInvalid(to, 'no! does not exist');
    requests.length = 0;
    await begin('@Judy');
    await untilInvalid(to, 'This is your own account.');
    expect(requests.filter((frame) => frame.includes('chat-message'))).toEqual([]);
    const bob = await site.as('bob');
    await bob.api.changeSettings({ dm: { only_from_friends: true } });
    await begin('bob, carol');
    await untilInvalid(to, 'bob accepts messages from friends only');
    expect(await page.locator('.chip.invalid').allInnerTexts()).toEqual(['bob']);
    await bob.api.changeSettings({ dm: { only_from_friends: false } });
    await page.getByRole('tab', { name: 'Channels' }).click();
    const link = page.locator('waggle-channels #link');
    await link.fill(`${site.url}/app/#/no-channel`);
    await judy.press('Open');
    await untilInvalid(link, 'There is no such channel.');
    await page.route('**/users/channels', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }));
    await page.locator('waggle-channels #channel').fill('Busy');
    await judy.press('Create');
    await untilInvalid(page.locator('waggle-channels #channel'), 'The service cannot do this now');
  });

  longTest('of friend requests and new members are at their field', async () => {
    const [frank, grace] = [await site.as('frank'), await site.as('grace')];
    await frank.requestFriendship('grace');
    await grace.requestFriendship('frank');
    await site.createGroup('Joined', 'frank', ['grace']);
    const window = await site.signedIn('frank');
    const { page } = window;
    await window.openPeople();
    const friend = page.locator('waggle-people #friend');
    for (const [account, error] of [
      ['frank', 'This is your own account.'],
      ['grace', 'grace is your friend already'],
      ['gracee', 'gracee does not exist'],
    ] as const) {
      await friend.fill(account);
      await window.press('Add');
      await untilInvalid(friend, error);
    }
    await window.press('Back');
    await window.openConversation('Joined');
    await window.openDetails();
    await window.press('Add member');
    const member = page.locator('waggle-conversation-details #member');
    await member.fill('grace');
    await window.press('Add');
    await untilInvalid(member, 'grace is a member already.');
    await member.fill('nobody-here');
    expect(await page.getByRole('alert').count()).toBe(0);
    await window.press('Add');
    await untilInvalid(member, 'nobody-here does not exist');
  });

  longTest('of actions are where the action is', async () => {
    const context = await site.newContext({ viewport: { width: 360, height: 500 } });
    const dave = await site.signedIn('dave', context);
    const { page } = dave;
    await dave.openSettings();
    await page.getByText('(this one)').waitFor();
    const request = { status: 503, json: { code: 'unavailable' } };
    await page.route('**/users/settings', (route) => route.fulfill(request));
    const toggle = page.getByLabel('Only friends may write to me');
    await toggle.click();
    await untilInvalid(toggle, 'The service cannot do this now');
    expect(await toggle.isChecked()).toBe(false);
  });

  longTest('of the sign-in are in view, at their field', async () => {
    const window = await site.open(await site.newContext({ viewport: { width: 320, height: 480 } }));
    const { page } = window;
    const isInView = (text: string) =>
      page.getByText(text).evaluate((error) => {
        const { top, bottom } = error.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await window.signInWithKey('nobody-here', devnetKeys('alice').posting.wif);
    await untilInvalid(page.locator('waggle-sign-in #account'), 'nobody-here does not exist');
    expect(await isInView('nobody-here does not exist')).toBe(true);
    await window.signInWithKey('alice', 'a password');
    await untilInvalid(page.locator('waggle-sign-in #key'), 'This is not a private key.');
    expect(await isInView('This is not a private key.')).toBe(true);
    await window.signInWithKey('alice', devnetKeys('bob').posting.wif);
    await untilInvalid(page.locator('waggle-sign-in #key'), 'The signature does not match the account.');
    await page.route('**/users/login?*', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }));
    await window.signInWithKey('alice', devnetKeys('alice').posting.wif);
    await page.getByRole('alert').getByText('The service cannot do this now').waitFor();
    expect(await isInView('The service cannot do this now')).toBe(true);
  });
});
