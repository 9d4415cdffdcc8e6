import { devnetKeys } from '@waggle/devnet';
import { signAs } from '@waggle/running';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type Locator } from 'playwright-core';
import { ChatSite } from './support/chat-site';
import { installFakeDesktop, isSomeTabInUse, shownNotifications } from './support/fake-desktop';
import { isFocused, untilFocused } from './support/focus';
import { respondAsHiveAuth, installFakeKeychain } from './support/fake-wallets';

const avatarHost = 'https://avatars.example';
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

const site = ChatSite.forTests({ origins: () => [avatarHost] });

it('become friends, block each other and write again', async () => {
  const [frank, grace] = await Promise.all([site.signedIn('frank'), site.signedIn('grace')]);
  await frank.openPeople();
  await frank.page.locator('waggle-people #friend').fill('grace');
  await frank.press('Add');
  await grace.press('People, Friend requests: 1');
  await grace.press('Accept: frank');
  await frank.press('Message to grace');
  await frank.fill('First message', 'We are friends now');
  await frank.submit.click();
  await frank.message('We are friends now').waitFor();
  await grace.press('Back');
  await grace.openConversation('frank');
  const presences = [frank, grace].map(({ page }) =>
    page.locator('waggle-conversation').getByText('online', { exact: true }),
  );
  for (const presence of presences) await presence.first().waitFor();
  await grace.openDetails();
  await grace.press(/^Block/);
  await grace.confirm('Block');
  await grace.page.getByText('You cannot write to each other').waitFor();
  for (const presence of presences) await until(async () => (await presence.count()) === 0);
  // A blocked account gets no event: its next message is rejected.
  await frank.send('Are you angry?');
  await frank.page.getByText('Not sent: One of you blocks the other').waitFor();
  await grace.press('Unblock');
  await grace.composer.waitFor();
  await frank.press('Send again');
  await grace.message('Are you angry?').waitFor();
});

longTest('see that a friend is offline after a reconnect', async () => {
  const [frank, carol] = [await site.as('frank'), await site.signedIn('carol')];
  await frank.sendTo('carol', 'Hello');
  await frank.requestFriendship('carol');
  await carol.press('People, Friend requests: 1');
  await carol.press('Accept: frank');
  await until(async () => (await frank.api.friends()).friends.includes('carol'));
  const window = await site.signedIn('frank');
  await window.openConversation('carol');
  const online = window.page.locator('waggle-conversation').getByText('online', { exact: true });
  await online.waitFor();
  await site.stop();
  await carol.page.close();
  await window.page.getByText('Reconnecting').getByRole('button', { name: 'Try again' }).waitFor();
  await site.startInstance();
  await window.page.getByText('Reconnecting').first().waitFor({ state: 'hidden' });
  await until(async () => (await online.count()) === 0);
});

longTest('reject and withdraw requests, end a friendship, and take messages from friends only', async () => {
  const [erin, ivan] = await Promise.all([site.as('erin'), site.as('ivan')]);
  await erin.requestFriendship('dave');
  const dave = await site.signedIn('dave');
  await dave.openPeople();
  await dave.press('Reject: erin');
  await until(async () => (await dave.page.getByText('erin').count()) === 0);
  const request = async (account: string) => {
    await dave.page.locator('waggle-people #friend').fill(account);
    await dave.press('Add');
    await dave.page.getByRole('button', { name: `Withdraw request: ${account}` }).waitFor();
  };
  await request('erin');
  await dave.press('Withdraw request: erin');
  await until(async () => (await erin.api.friendRequests()).length === 0);
  await request('ivan');
  const [fromDave] = await ivan.api.friendRequests();
  await ivan.acceptFriendship(fromDave?.id ?? '');
  await dave.press('Remove friend: ivan');
  await dave.confirm('Remove friend');
  await dave.page.getByText('No friends yet').waitFor();
  await request('judy');
  // Of a rejection while the page is closed, the page learns nothing.
  const address = dave.page.url();
  await dave.page.goto('about:blank');
  const judy = await site.as('judy');
  const [missed] = await judy.api.friendRequests();
  await judy.rejectFriendship(missed?.id ?? '');
  await dave.page.goto(address);
  await dave.openPeople();
  await dave.press('Withdraw request: judy');
  await until(async () => (await dave.page.getByRole('button', { name: /^Withdraw request/ }).count()) === 0);
  await dave.press('Back');
  await dave.openSettings();
  await dave.page.getByLabel('Only friends may write to me').check();
  await until(async () => (await (await site.as('dave')).api.settings()).dm.only_from_friends);
  await expect(erin.sendTo('dave', 'Hello')).rejects.toMatchObject({ code: 'friends-only' });
});

it('list their sessions, and sign out here and everywhere', async () => {
  const [one, other] = [await site.signedIn('heidi'), await site.signedIn('heidi')];
  await one.openSettings();
  await one.page.getByText('(this one)').waitFor();
  expect(await one.page.getByText(/^Signed in .* · last used .* · 127\.0\.0\.1$/).count()).toBe(1);
  // As if another tab had started a session meanwhile, which stays saved.
  const key = `waggle:${site.url}:session`;
  await other.page.evaluate((name) => {
    localStorage.setItem(name, '{"account":"bob"}');
  }, key);
  await one.page.getByRole('button', { name: /^End: / }).click();
  await other.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
  expect(await other.page.evaluate((name) => localStorage.getItem(name), key)).toBe('{"account":"bob"}');
  // Browsers may clear the storage of a page, but keep its HttpOnly cookies.
  await one.page.evaluate(() => {
    localStorage.clear();
  });
  await one.press('Sign out');
  await one.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
  await until(async () => (await one.page.context().cookies()).length === 0);
  await one.page.reload();
  await one.signIn('heidi');
  await other.signInWithKey('heidi', 'a password');
  await other.page.getByText('This is not a private key.').waitFor();
  await other.signInWithKey('heidi', devnetKeys('heidi').posting.wif);
  await other.conversations.waitFor();
  await one.openSettings();
  await one.press('Sign out everywhere');
  await one.confirm('Sign out everywhere');
  for (const { page } of [one, other]) await page.getByRole('button', { name: 'alice', exact: true }).waitFor();
});

longTest('stay signed in while the service is overloaded, and signed out after signing out offline', async () => {
  const context = await site.newContext();
  const heidi = await site.signedIn('heidi', context);
  await heidi.page.route('**/users/verify', (route) => route.fulfill({ status: 503 }));
  await heidi.page.reload();
  await heidi.page.getByText('The service cannot do this now').waitFor();
  await heidi.page.unrouteAll();
  await heidi.conversations.waitFor();
  await heidi.openSettings();
  await context.setOffline(true);
  await heidi.press('Sign out');
  await heidi.page.getByText('your session there has not ended yet').waitFor();
  await heidi.page.close();
  await context.setOffline(false);
  const next = await site.open(context);
  await next.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
  const cookieNames = async () => (await context.cookies()).map(({ name }) => name);
  await until(async () => (await cookieNames()).length === 0, { actual: cookieNames });
});

it('see nothing of the account that was signed in before, also in a tab that was hidden meanwhile', async () => {
  await site.createGroup('Between them', 'ivan', ['judy']);
  const context = await site.newContext();
  const hidden = await site.signedIn('ivan', context);
  await hidden.openConversation('Between them');
  await hidden.openDetails();
  await hidden.page.getByLabel('Search conversations').fill('Between');
  const visible = await site.open(context);
  await visible.openConversation('Between them');
  await visible.openSettings();
  // Browsers render no frames of hidden tabs.
  await hidden.page.evaluate(() => {
    const render = window.requestAnimationFrame.bind(window);
    const waiting: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    addEventListener('shown', () => {
      window.requestAnimationFrame = render;
      for (const callback of waiting) render(callback);
    });
  });
  await visible.press('Sign out');
  await visible.signIn('judy');
  await until(async () => (await hidden.page.title()) === '(1) Waggle');
  await hidden.page.evaluate(() => dispatchEvent(new Event('shown')));
  for (const { page, entry } of [visible, hidden].map((tab) => ({
    page: tab.page,
    entry: tab.entry('Between them'),
  }))) {
    await entry.getByLabel('1 unread message').waitFor();
    await page.getByRole('button', { name: 'Settings: judy' }).waitFor();
    expect(await page.locator('waggle-conversation, waggle-conversation-details').count()).toBe(0);
    expect(await page.getByLabel('Search conversations').inputValue()).toBe('');
    expect(new URL(page.url()).hash).toBe('');
  }
});

longTest('stay signed in if the browser rejects the WebSocket', async () => {
  const context = await site.newContext();
  const heidi = await site.signedIn('heidi', context);
  await heidi.page.addInitScript(() => {
    window.WebSocket = new Proxy(WebSocket, {
      construct() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  });
  await heidi.page.reload();
  await heidi.page.getByText('The service cannot be reached').waitFor();
  await (await site.open(context)).conversations.waitFor();
});

it('get desktop notifications on request, in one tab, while no tab is in use', async () => {
  const context = await site.newContext();
  await installFakeDesktop(context);
  const judy = await site.signedIn('judy', context);
  const other = await site.open(context);
  await other.conversations.waitFor();
  const tabs = [judy.page, other.page];
  await judy.openSettings();
  await judy.page.getByLabel('Desktop notifications').check();
  await judy.press('Back');
  const bob = await site.as('bob');
  await bob.sendTo('judy', 'seen at once');
  for (const tab of [judy, other]) await tab.entry('bob').getByText('seen at once').waitFor();
  await judy.page.evaluate(() => {
    window.fakeDesktop.leave();
  });
  await bob.sendTo('judy', 'seen in the other tab');
  for (const tab of [judy, other]) await tab.entry('bob').getByText('seen in the other tab').waitFor();
  expect(await Promise.all(tabs.map(shownNotifications))).toEqual([[], []]);
  await other.page.close();
  await until(async () => !(await isSomeTabInUse(judy.page)));
  await bob.sendTo('judy', 'Are you there?');
  await until(async () => (await shownNotifications(judy.page)).length > 0);
  expect(await shownNotifications(judy.page)).toEqual(['bob: Are you there?']);
  await judy.page.evaluate(() => {
    window.fakeDesktop.shown[0]?.click();
  });
  await judy.message('Are you there?').waitFor();
  await judy.page.evaluate(() => {
    window.fakeDesktop.refuse();
  });
  await bob.sendTo('judy', 'to a browser that shows none');
  await until(() =>
    judy.page.evaluate((key) => localStorage.getItem(key) === 'false', `waggle:${site.url}:notifications`),
  );
  await judy.openSettings();
  expect(await judy.page.getByLabel('Desktop notifications').isChecked()).toBe(false);
});

it('sign in, read, write and delete with only the keyboard', async () => {
  await site.createGroup('Keys', 'carol', ['bob']);
  const carol = await site.open();
  const { keyboard } = carol.page;
  const tabTo = async (target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    await target.waitFor();
    for (let stops = 0; stops < 30 && !(await isFocused(target)); stops += 1) await keyboard.press(key);
    expect(await isFocused(target)).toBe(true);
  };
  await tabTo(carol.page.getByRole('button', { name: 'carol', exact: true }));
  await keyboard.press('Enter');
  await carol.conversations.waitFor();
  await tabTo(carol.page.getByRole('button', { name: /^Settings/ }));
  await keyboard.press('Enter');
  await tabTo(carol.page.getByRole('button', { name: 'Back', exact: true }));
  await keyboard.press('Enter');
  await tabTo(carol.page.getByLabel('Search conversations'));
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await untilFocused(carol.composer);
  await keyboard.type('typed');
  await keyboard.press('Enter');
  await carol.message('typed').getByLabel('Sent').waitFor();
  await tabTo(carol.page.getByRole('region', { name: 'Messages' }), 'Shift+Tab');
  await keyboard.press('Enter');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowDown');
  expect(await isFocused(carol.message('typed'))).toBe(true);
  const more = carol.message('typed').getByRole('button', { name: 'More actions' });
  const chooseLast = async () => {
    await tabTo(more);
    await keyboard.press('Enter');
    await untilFocused(carol.page.getByRole('menuitem').first());
    await keyboard.press('End');
    await keyboard.press('Enter');
  };
  await chooseLast();
  await carol.page.locator('dialog[open]').waitFor();
  await keyboard.press('Escape');
  await untilFocused(carol.message('typed'));
  await chooseLast();
  await tabTo(carol.page.locator('dialog[open]').getByRole('button', { name: 'Delete', exact: true }));
  await keyboard.press('Enter');
  await until(async () => (await carol.message('typed').count()) === 0);
});

longTest('find the focus in the pane that is shown instead of another one', async () => {
  await site.createGroup('Panes', 'erin', ['bob']);
  const erin = await site.open(await site.newContext({ viewport: { width: 320, height: 640 } }));
  const { page } = erin;
  const press = async (target: Locator) => {
    await target.focus();
    await page.keyboard.press('Enter');
  };
  await press(page.getByRole('button', { name: 'erin', exact: true }));
  await untilFocused(page.getByRole('button', { name: 'Settings: erin' }));
  await page.evaluate(() => {
    // As on a phone, where the composer does not take the focus.
    window.matchMedia = (query) =>
      Object.assign(new EventTarget(), {
        matches: false,
        media: query,
        onchange: null,
        addListener: () => undefined,
        removeListener: () => undefined,
      });
  });
  await press(erin.entry('Panes'));
  const title = page.locator('waggle-conversation button.title');
  await untilFocused(title);
  await page.keyboard.press('Enter');
  await untilFocused(page.getByRole('button', { name: 'Close', exact: true }));
  await page.keyboard.press('Enter');
  await untilFocused(title);
  await press(page.locator('waggle-conversation header .back'));
  await untilFocused(erin.entry('Panes'));
  await press(page.getByRole('button', { name: 'Settings: erin' }));
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
  await until(() => signOut.isEnabled());
  await press(signOut);
  await untilFocused(page.getByRole('heading', { name: 'Sign in' }));
});

describe('with a wallet', () => {
  it('sign in with Hive Keychain, unless they cancel', async () => {
    const context = await site.newContext();
    await installFakeKeychain(context, (account, text) => (account === 'alice' ? signAs(account, text) : undefined));
    const window = await site.open(context);
    const signIn = async (account: string) => {
      await window.fill('Account name', account);
      await window.press('Sign in with Hive Keychain');
    };
    await window.page.getByText('Another account').click();
    await signIn('bob');
    await window.page.getByText('You cancelled it in your wallet.').waitFor();
    await signIn('@Alice ');
    await window.conversations.waitFor();
    await window.page.reload();
    await window.conversations.waitFor();
  });

  longTest('see a code for HiveAuth, whose library is loaded only then', async () => {
    const context = await site.newContext();
    const loaded: string[] = [];
    context.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await context.routeWebSocket('wss://hive-auth.arcange.eu/', respondAsHiveAuth);
    const window = await site.open(context);
    await window.page.getByText('Another account').click();
    await window.fill('Account name', 'alice');
    expect(loaded).not.toContain('/app/aioha.js');
    await window.press('Sign in with HiveAuth');
    const code = window.page.getByRole('link', { name: 'HiveAuth' });
    await code.waitFor();
    expect(await code.getAttribute('href')).toMatch(/^has:\/\/auth_req\//);
    expect(loaded).toContain('/app/aioha.js');
  });
});

describe('with a wrong clock', () => {
  longTest.each([
    ['fast', 600_000],
    ['slow', -600_000],
  ])('sign in, if it is %s', async (_what, aheadMs) => {
    const context = await site.newContext();
    await context.clock.install({ time: Date.now() + aheadMs });
    const window = await site.open(context);
    await window.signInWithKey('grace', devnetKeys('grace').posting.wif);
    await window.conversations.waitFor();
  });

  longTest('learn that it is wrong if the service rejects the second signature, too', async () => {
    const context = await site.newContext();
    let requests = 0;
    await context.route('**/users/login?*', async (route) => {
      requests += 1;
      await route.fulfill({
        status: 401,
        json: { code: 'proof-expired' },
        headers: { Date: new Date().toUTCString() },
      });
    });
    const window = await site.open(context);
    await window.signInWithKey('grace', devnetKeys('grace').posting.wif);
    await window.page.getByText('The clock of this device is wrong').waitFor();
    expect(requests).toBe(2);
  });
});

longTest('have initials, or pictures from the configured host', async () => {
  await (await site.as('bob')).sendTo('alice', 'Hello');
  const letters = await site.signedIn('alice');
  await letters.entry('bob').locator('.avatar').getByText('b', { exact: true }).waitFor();
  expect(await letters.page.locator('.avatar img').count()).toBe(0);

  await site.restart({ WEB_CLIENT_AVATARS: `${avatarHost}/{account}.svg` });
  const context = await site.newContext();
  const requested = new Set<string>();
  await context.route(`${avatarHost}/**`, async (route) => {
    requested.add(new URL(route.request().url()).pathname);
    await route.fulfill({ contentType: 'image/svg+xml', body: picture });
  });
  const pictures = await site.signedIn('alice', context);
  const image = pictures.entry('bob').locator('.avatar img');
  await until(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth === 8));
  expect(requested).toContain('/alice.svg');
  expect(requested).toContain('/bob.svg');
});
