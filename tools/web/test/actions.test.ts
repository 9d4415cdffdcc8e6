import { devnetKeys } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { type Locator } from 'playwright-core';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { untilFocused } from './support/focus';

const site = ChatSite.forTests();

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
      await to.fill(accounts);
      expect(await to.getAttribute('aria-invalid')).toBeNull();
      await judy.fill('First message', 'Hello');
      await page.locator('waggle-new-conversation form').first().getByRole('button').last().click();
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
    await bob.api.changeSettings({ dm: { only_from_friends: false } });
    const link = page.locator('waggle-new-conversation #link');
    await link.fill(`${site.url}/app/#/no-channel`);
    await judy.press('Open');
    await untilInvalid(link, 'There is no such channel.');
    expect(await to.getAttribute('aria-describedby')).toBe('hint');
    await page.route('**/users/channels', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }));
    await page.locator('waggle-new-conversation #channel').fill('Busy');
    await judy.press('Create channel');
    await untilInvalid(page.locator('waggle-new-conversation #channel'), 'The service cannot do this now');
  });

  it('of friend requests and new members are at their field', async () => {
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
      await window.press('Send request');
      await untilInvalid(friend, error);
    }
    await window.press('Back');
    await window.openConversation('Joined');
    await window.openDetails();
    const member = page.locator('waggle-conversation-details #member');
    await member.fill('grace');
    await window.press('Add');
    await untilInvalid(member, 'grace is a member already.');
    await member.fill('nobody-here');
    expect(await page.getByRole('alert').count()).toBe(0);
    await window.press('Add');
    await untilInvalid(member, 'nobody-here does not exist');
  });

  it('of actions are where the action is', async () => {
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

  it('of the sign-in are in view, at their field', async () => {
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
